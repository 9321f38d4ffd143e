import { randomUUID } from 'node:crypto';
import { addCandidate, readCandidate, removeCandidate } from '../../db/made-tools/candidates.ts';
import type { MadeTool } from '../../domain/tool/made-tool.ts';
import { MadeToolRefusedError } from '../../domain/tool/refusal.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { expectWorker } from '../project/expect-worker.ts';

export interface ValidationDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
}

/**
 * Has a worker validate a made tool in a sandbox.
 * @throws {ClientError | MadeToolRefusedError} `NoWorker`
 */
export async function validateTool(
  { database, temporal, taskQueue }: ValidationDependencies,
  tool: MadeTool,
): Promise<void> {
  const id = `tool-validation-${randomUUID()}`;
  await database.use((query) => addCandidate(query, { id, tool }));
  try {
    await temporal.use(async (client) => {
      await expectWorker(client, taskQueue);
      await client.workflow.execute('validateToolWorkflow', { workflowId: id, taskQueue, args: [{ id }] });
    });
    const { refusals } = await database.use((query) => readCandidate(query, id));
    if (refusals?.length) throw new MadeToolRefusedError(tool.name, refusals);
  } finally {
    await database.use((query) => removeCandidate(query, id));
  }
}
