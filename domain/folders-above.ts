/** The folders that a path is in, from the topmost on: `a` and `a/b` for `a/b/c`. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
