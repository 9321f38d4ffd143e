/**
 * Where the harness's own programs in a sandbox look for executables: folders of the read-only root. The image's PATH may start with a folder that an
 * agent can write to.
 */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The PATH from a container's environment, passed on to what an agent runs. */
export function pathOf(environment: string[] | undefined): string {
  const found = environment?.find((variable) => variable.startsWith('PATH='));
  return found?.slice('PATH='.length) || systemPath;
}
