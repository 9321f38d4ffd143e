import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The parts of the supervisor's state file that tests look at. */
export interface StackRecord {
  status: string;
  supervisor: { pid: number };
  addresses: { temporal: string };
  services: Array<{ name: string; state: string; pid: number | null; restarts: number }>;
}

export function stackRecordPath(home: string): string {
  return join(home, 'stack.json');
}

export async function readStackRecord(home: string): Promise<StackRecord | undefined> {
  try {
    return JSON.parse(await readFile(stackRecordPath(home), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
