import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** Compacts the memories, updates their indexes and builds those that their number now calls for; searches continue meanwhile. */
export function createTendMemory({ memory }: Pick<Dependencies, 'memory'>) {
  return (): Promise<{ rows: number; indexed: string[] }> => withHeartbeat(() => memory.optimize());
}
