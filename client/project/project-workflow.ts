import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { AnswerSignal } from '../../domain/permissions/request.ts';
import type {
  AbandonRequest,
  BudgetRequest,
  PauseRequest,
  RevertRequest,
  RevertResult,
  SessionRequest,
  SessionStarted,
} from '../../domain/project/messages.ts';
import type { Budgets } from '../../domain/project/settings.ts';
import { projectWorkflowType, reopenOptions } from '../../domain/project/workflow-options.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError } from '../errors.ts';
import { expectWorker, whyItFailed } from './expect-worker.ts';

/** Names and arguments of the messages that a project accepts; the workflow's own definitions are in workflows/project/requests/messages.ts. */
export interface ProjectSignals {
  pause: [PauseRequest];
  resume: [];
  abandon: [AbandonRequest];
  answerRequest: [AnswerSignal];
}

export interface ProjectUpdates {
  revertToCheckpoint: { request: RevertRequest; answer: RevertResult };
  runSession: { request: SessionRequest; answer: SessionStarted };
  setBudget: { request: BudgetRequest; answer: Budgets };
}

/** The client's operations on a project's workflow. */
export interface ProjectWorkflow {
  /** @throws {ClientError} `ProjectEnded` if the workflow has closed. */
  signal<Name extends keyof ProjectSignals>(name: Name, ...payload: ProjectSignals[Name]): Promise<void>;
  /** Starts the workflow again if it has closed. */
  signalWithStart<Name extends keyof ProjectSignals>(name: Name, ...payload: ProjectSignals[Name]): Promise<void>;
  /**
   * Starts the workflow again if it has closed, and waits for its answer.
   * @throws {ClientError} `RequestRefused` with the project's reason; `ProjectStuck` if its workflow took no request for a minute.
   */
  updateWithStart<Name extends keyof ProjectUpdates>(
    name: Name,
    request: ProjectUpdates[Name]['request'],
  ): Promise<ProjectUpdates[Name]['answer']>;
  /** Undefined if Temporal does not know a workflow with this id, or no longer does. */
  describe(): Promise<WorkflowExecutionDescription | undefined>;
}

export function createProjectWorkflow(temporal: TemporalAccess, taskQueue: string, id: string): ProjectWorkflow {
  return {
    async signal(name, ...payload) {
      const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
      await temporal.use(async (client) => {
        try {
          await client.workflow.getHandle(id).signal<unknown[]>(name, ...payload);
        } catch (cause) {
          if (!(cause instanceof WorkflowNotFoundError)) throw cause;
          throw new ClientError('ProjectEnded', `The workflow of ${id} has closed, so it cannot ${name}.`, {
            cause,
          });
        }
      });
    },
    async signalWithStart(name, ...payload) {
      await temporal.use((client) =>
        client.workflow.signalWithStart(projectWorkflowType, {
          ...reopenOptions(id, taskQueue),
          signal: name,
          signalArgs: payload as unknown[],
        }),
      );
    },
    updateWithStart: (name, request) =>
      temporal.use(async (client) => {
        await expectWorker(client, taskQueue);
        return untilTaken(id, () => update(client, { id, taskQueue, name, request }));
      }),
    async describe() {
      const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
      return temporal.use(async (client) => {
        try {
          return await client.workflow.getHandle(id).describe();
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return undefined;
          throw error;
        }
      });
    },
  };
}

/** Milliseconds in which a worker takes over the workflow tasks of one that was killed. */
const takeoverMs = 60_000;
/** gRPC's code for "this cannot be done now": Temporal's answer once a workflow task has failed or timed out three times in a row. */
const failedPrecondition = 9;

async function untilTaken<Answer>(id: string, ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + takeoverMs;
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if (!(cause instanceof Error) || !('code' in cause) || cause.code !== failedPrecondition) throw cause;
      if (Date.now() > deadline) {
        throw new ClientError(
          'ProjectStuck',
          `${id} takes no requests: ${cause.message}. The Temporal UI shows why its workflow task fails; \`longhaul ps\` shows the worker.`,
          { cause },
        );
      }
    }
    await sleep(1_000);
  }
}

async function update<Name extends keyof ProjectUpdates>(
  client: Client,
  input: { id: string; taskQueue: string; name: Name; request: ProjectUpdates[Name]['request'] },
): Promise<ProjectUpdates[Name]['answer']> {
  const { WithStartWorkflowOperation, WorkflowUpdateFailedError } = await import('../connection/temporal-client.ts');
  try {
    return await client.workflow.executeUpdateWithStart<
      () => Promise<unknown>,
      ProjectUpdates[Name]['answer'],
      [ProjectUpdates[Name]['request']]
    >(input.name, {
      args: [input.request],
      startWorkflowOperation: new WithStartWorkflowOperation(
        projectWorkflowType,
        reopenOptions(input.id, input.taskQueue),
      ),
    });
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) throw await refused(error);
    throw error;
  }
}

async function refused(error: Error): Promise<ClientError> {
  const { message, type } = await whyItFailed(error);
  return new ClientError('RequestRefused', message, { cause: error, failureType: type });
}
