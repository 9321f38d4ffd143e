import { randomUUID } from 'node:crypto';
import type { ModelCheck } from '../../agents/settings/create-model-check.ts';
import type { WorkerDescription, WorkerQuestion } from '../../agents/settings/running-settings.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { expectWorker } from '../project/expect-worker.ts';

/** The worker that answers: its settings may differ from those of this process. Each method throws a `ClientError` (`NoWorker`) if there is none. */
export interface RunningWorker {
  /** Its settings, secrets masked, and the models of each role, which are asked for one word unless `ask` is false. */
  describe(question?: Partial<WorkerQuestion>): Promise<WorkerDescription>;
  /** Asks each of several models, comma-separated, for one word. */
  checkModels(names: string): Promise<ModelCheck[]>;
}

export function createRunningWorker(deps: { temporal: TemporalAccess; taskQueue: string }): RunningWorker {
  const { temporal, taskQueue } = deps;

  function execute<Result>(workflow: string, about: object): Promise<Result> {
    return temporal.use(async (client) => {
      await expectWorker(client, taskQueue);
      const workflowId = `${workflow}-${randomUUID()}`;
      return client.workflow.execute(workflow, { workflowId, taskQueue, args: [about] });
    });
  }

  return {
    describe: ({ ask = false, ...project } = {}) => execute('describeWorkerWorkflow', { ask, ...project }),
    checkModels: (names) => execute('checkModelsWorkflow', { names }),
  };
}
