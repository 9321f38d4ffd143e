import type { Dependencies } from '../dependencies.ts';
import { retryableFailure, terminalFailure } from '../failures.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** The activity `maintainMemory`: compacts the memories, updates their indexes and builds missing ones; searches continue meanwhile. */
export function createMaintainMemory({ memory }: Pick<Dependencies, 'memory'>) {
  return (): Promise<{ rows: number; indexed: string[] }> => withHeartbeat(() => memory.optimize());
}

/** Half a minute of the local model's work, which another attempt does not repeat. */
const memoriesOfBatch = 2_000;

/** The activity `reindexMemories`: embeds the next memories without a vector of the model; returns how many were embedded and how many are left. */
export function createReindexMemories({ memory }: Pick<Dependencies, 'memory'>) {
  return ({ model: wanted }: { model: string }): Promise<{ embedded: number; left: number }> =>
    withHeartbeat(async ({ cancel, detach }) => {
      const { model, awaitsModel, withoutVector } = await memory.stats();
      if (awaitsModel) {
        const message = `The embedding model ${wanted} is not available to this worker. The worker checks again each minute.`;
        throw retryableFailure('ModelUnreachable', message);
      }
      if (model !== wanted) {
        const message = `Expected a worker that embeds with ${wanted}, got ${model ?? 'no model'}. Restart it with the current settings: \`longhaul down\`, then \`longhaul up -d\`.`;
        throw terminalFailure('InvalidInput', message);
      }
      const embedded = await memory.reindex({ most: memoriesOfBatch, signal: AbortSignal.any([cancel, detach]) });
      return { embedded, left: Math.max(0, withoutVector - embedded) };
    });
}
