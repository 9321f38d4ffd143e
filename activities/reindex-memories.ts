import type { Dependencies } from './dependencies.ts';
import { finalFailure } from './failures.ts';
import { withHeartbeat } from './heartbeat.ts';

/** Half a minute of the local model's work, which another attempt does not repeat. */
const memoriesOfBatch = 2_000;

/** Embeds the next memories that have no vector of the model; tells how many were embedded, and how many are left. */
export function createReindexMemories({ memory }: Pick<Dependencies, 'memory'>) {
  return ({ model: wanted }: { model: string }): Promise<{ embedded: number; left: number }> =>
    withHeartbeat(async ({ cancel, detach }) => {
      const { model, withoutVector } = await memory.stats();
      if (model !== wanted) {
        const message = `Expected a worker that embeds with ${wanted}, it has ${model ?? 'no model'}. Start it again with the present settings: \`longhaul down\`, \`longhaul up -d\`.`;
        throw finalFailure('InvalidInput', message);
      }
      const embedded = await memory.reindex({ most: memoriesOfBatch, signal: AbortSignal.any([cancel, detach]) });
      return { embedded, left: Math.max(0, withoutVector - embedded) };
    });
}
