import type { TemporalAccess } from '../connection/temporal-access.ts';

/** Tells a run that a call which it waits for has ended. Without it, as when this process dies first, the run looks by itself later. */
export async function wakeRun(temporal: TemporalAccess, runId: string): Promise<void> {
  const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
  await temporal.use(async (client) => {
    try {
      await client.workflow.getHandle(runId).signal('wake');
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error; // it has ended
    }
  });
}
