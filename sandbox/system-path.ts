/**
 * Where the harness's own programs in a sandbox find theirs: folders of the read-only root. The image's PATH may begin with a folder
 * that an agent can write to.
 */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The PATH of a container's environment, which what an agent runs gets. */
export function pathOf(environment: string[] | undefined): string {
  const found = environment?.find((variable) => variable.startsWith('PATH='));
  return found?.slice('PATH='.length) || systemPath;
}
