import { upkeep } from './activities.ts';

/** Compacts the memories and brings their indexes up to date; started by a schedule. */
export async function tendMemoryWorkflow(): Promise<{ rows: number; indexed: string[] }> {
  return upkeep.tendMemory();
}
