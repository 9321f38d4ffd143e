import { maintenance } from '../activities.ts';

/** Compacts the memories and updates their indexes; started by a schedule. */
export async function maintainMemoryWorkflow(): Promise<{ rows: number; indexed: string[] }> {
  return maintenance.maintainMemory();
}
