import { upkeep } from '../activities.ts';

/** Compacts the memories and updates their indexes; started by a schedule. */
export async function tendMemoryWorkflow(): Promise<{ rows: number; indexed: string[] }> {
  return upkeep.tendMemory();
}
