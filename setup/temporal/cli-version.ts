import { execa } from 'execa';

/** The servers of CLI versions before 1.5 lack what the worker needs (worker deployment versions, server 1.28). */
export const oldestCli = '1.5.0';

/** The version that `temporal --version` reports; undefined if the file does not run or is something else. */
export async function cliVersion(file: string): Promise<string | undefined> {
  const { stdout } = await execa(file, ['--version'], { reject: false, timeout: 10_000 });
  return /temporal version v?(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1];
}

/** Whether the first version is at least the second (three numbers each). */
export function isAtLeast(version: string, oldest: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of oldest.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
