import { readdir, readFile } from 'node:fs/promises';

/** The git processes that were started with this variable, such as orphans of a killed worker; undefined if unknown, as on all systems but Linux. */
export async function gitProcessesWith(variable: string, value: string): Promise<number[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const found: number[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const command = await readFile(`/proc/${pid}/comm`, 'latin1');
      if (!/^git(-|\n|$)/.test(command)) continue;
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
      if (environment.split('\0').includes(`${variable}=${value}`)) found.push(Number(pid));
    } catch (error) {
      ignoreGone(error);
    }
  }
  return found;
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

/** A process may end while it is inspected, and another user's may not be inspected. */
function ignoreGone(error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) throw error;
}
