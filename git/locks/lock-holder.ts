import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * The processes that may be using a lock: any that has the file open, and any git that runs in the folder (git closes a lock while its editor is
 * open). Undefined on systems that do not reveal this, which are all but Linux.
 */
export async function lockHolders(lock: string, folder: string): Promise<number[] | undefined> {
  return findProcesses(async (process) => {
    if ((await isGit(process)) && within(await readlink(join(process, 'cwd')), folder)) return true;
    for (const descriptor of await readdir(join(process, 'fd'))) {
      const target = await readlink(join(process, 'fd', descriptor)).catch(ignoreGone);
      if (target === lock) return true;
    }
    return false;
  });
}

/** The git processes that were started with this variable, such as orphans of a killed worker; undefined on systems other than Linux. */
export async function gitProcessesWith(variable: string, value: string): Promise<number[] | undefined> {
  return findProcesses(async (process) => {
    if (!(await isGit(process))) return false;
    const environment = await readFile(join(process, 'environ'), 'latin1');
    return environment.split('\0').includes(`${variable}=${value}`);
  });
}

/** When a process started, in the kernel's units, to distinguish it from a later one with the same id; undefined if unknown. */
export async function processStart(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    ignoreGone(error);
    return undefined;
  }
}

async function findProcesses(matches: (process: string) => Promise<boolean>): Promise<number[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (await matches(`/proc/${name}`)) found.push(Number(name));
    } catch (error) {
      ignoreGone(error);
    }
  }
  return found;
}

async function isGit(process: string): Promise<boolean> {
  return /^git(-|\n|$)/.test(await readFile(join(process, 'comm'), 'latin1'));
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** A process may end while it is inspected, and another user's may not be inspected. */
function ignoreGone(error: unknown): undefined {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) throw error;
  return undefined;
}
