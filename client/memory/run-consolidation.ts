import type { ConsolidationInput, ConsolidationOutcome } from '../../domain/memory/consolidation.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError } from '../errors.ts';
import { expectWorker } from '../project/expect-worker.ts';
import { whyItFailed } from '../project/why-it-failed.ts';

/**
 * Starts a consolidation, or joins a running one of the same kind, and waits for its end.
 * @throws {ClientError} `NoWorker`, `ConsolidationFailed`
 */
export async function runConsolidation(
  temporal: TemporalAccess,
  taskQueue: string,
  input: ConsolidationInput,
): Promise<ConsolidationOutcome> {
  return temporal.use(async (client) => {
    await expectWorker(client, taskQueue);
    const kind = [input.projectId ?? 'all', ...(input.dryRun ? ['dry-run'] : [])].join('-');
    const handle = await client.workflow.start('consolidateMemoryWorkflow', {
      workflowId: `memory-consolidation-${taskQueue}-${kind}`,
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: input.dryRun ? 'What a consolidation of the memories would do' : 'A consolidation of the memories',
    });
    try {
      return (await handle.result()) as ConsolidationOutcome;
    } catch (error) {
      const { WorkflowFailedError } = await import('../connection/temporal-client.ts');
      if (!(error instanceof WorkflowFailedError)) throw error;
      const { message, type } = await whyItFailed(error);
      throw new ClientError(
        'ConsolidationFailed',
        `The consolidation ${handle.workflowId} stopped: ${message} What it merged stays; the next one goes on from there.`,
        { cause: error, failureType: type },
      );
    }
  });
}
