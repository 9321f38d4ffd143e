/** Reasons, by system error, why a file or folder cannot be used. */
const denials: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'a file of that name is there',
};

/** What a person reads if the system refused a file or folder; undefined for any other error. */
export function describeDeniedPath(error: Error): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  const denial = denials[code ?? ''];
  return denial && path && `Could not use ${path}: ${denial}. Fix that, or choose another place.`;
}
