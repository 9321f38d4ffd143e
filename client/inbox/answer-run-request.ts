import type { AnswerSignal } from '../../domain/permissions/request.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError } from '../errors.ts';

/**
 * Answers a request of a user's own agent by a signal to its run, which also counts if no worker runs at the moment.
 * @throws {ClientError} `RequestRefused` if the run has ended.
 */
export async function answerRunRequest(temporal: TemporalAccess, runId: string, answer: AnswerSignal): Promise<void> {
  const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
  await temporal.use(async (client) => {
    try {
      await client.workflow.getHandle(runId).signal<[AnswerSignal]>('answerRequest', answer);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      throw new ClientError('RequestRefused', `The run ${runId} has ended, so nothing waits for the answer.`);
    }
  });
}
