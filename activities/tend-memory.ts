import type { Dependencies } from './dependencies.ts';
import { withHeartbeat } from './heartbeat.ts';

/** Compacts the memories, brings their indexes up to date and makes those that they have grown into; searches go on. */
export function createTendMemory({ memory }: Pick<Dependencies, 'memory'>) {
  return (): Promise<{ rows: number; indexed: string[] }> => withHeartbeat(() => memory.optimize());
}
