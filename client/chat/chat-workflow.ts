import type { FilesRequest } from '../../domain/chat/files.ts';
import type { ChatInput, StopRequest, WakeRequest } from '../../domain/chat/messages.ts';
import { searchAttributes } from '../../domain/search-attributes.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError } from '../errors.ts';
import { expectWorker, whyItFailed } from '../project/expect-worker.ts';

/** The name that `chatWorkflow` is registered under; only workers load its code. */
const chatWorkflowType = 'chatWorkflow';

/** The client's operations on a chat's workflow, which runs while there is something to answer and a while longer. */
export interface ChatWorkflow {
  /** Starts it if it is not running; needs no worker. */
  wake(request: WakeRequest): Promise<void>;
  /**
   * Has a stored request for files of its sandbox carried out; starts it if it is not running.
   * @throws {ClientError} `RequestRefused` with the reason; `NoWorker`.
   */
  transfer(request: FilesRequest): Promise<void>;
  stop(request: StopRequest): Promise<void>;
  /** Lets work in flight finish and starts nothing new; false if it is not running. */
  pause(): Promise<boolean>;
  /** Terminates it if it is running. */
  terminate(reason: string): Promise<void>;
  /** Deletes everything that the chat has outside the database; the chat must have ended. Needs no worker. */
  discard(): Promise<void>;
}

export function createChatWorkflow(
  temporal: TemporalAccess,
  taskQueue: string,
  chatId: string,
  name: string,
): ChatWorkflow {
  /** Returns false if the workflow is not running, in which case there is nothing to do. */
  async function whereItRuns(work: () => Promise<unknown>): Promise<boolean> {
    const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async function startOptions() {
    const { defineSearchAttributeKey, SearchAttributeType } = await import('@temporalio/common');
    const chatAttribute = defineSearchAttributeKey(searchAttributes.chat, SearchAttributeType.KEYWORD);
    return {
      workflowId: chatId,
      taskQueue,
      args: [{ chatId }] as [ChatInput],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
      staticSummary: `Chat ${name}`,
      typedSearchAttributes: [{ key: chatAttribute, value: chatId }],
    };
  }

  return {
    async wake(request) {
      const options = await startOptions();
      await temporal.use((client) =>
        client.workflow.signalWithStart<(input: ChatInput) => Promise<void>, [WakeRequest]>(chatWorkflowType, {
          ...options,
          signal: 'wake',
          signalArgs: [request],
        }),
      );
    },
    async transfer(request) {
      const { WithStartWorkflowOperation, WorkflowUpdateFailedError } = await import(
        '../connection/temporal-client.ts'
      );
      const options = { ...(await startOptions()), workflowIdConflictPolicy: 'USE_EXISTING' as const };
      await temporal.use(async (client) => {
        await expectWorker(client, taskQueue);
        try {
          await client.workflow.executeUpdateWithStart<(input: ChatInput) => Promise<void>, void, [FilesRequest]>(
            'files',
            {
              updateId: request.id,
              args: [request],
              startWorkflowOperation: new WithStartWorkflowOperation<(input: ChatInput) => Promise<void>>(
                chatWorkflowType,
                options,
              ),
            },
          );
        } catch (cause) {
          if (!(cause instanceof WorkflowUpdateFailedError)) throw cause;
          const { message, type } = await whyItFailed(cause);
          throw new ClientError('RequestRefused', message, { cause, failureType: type });
        }
      });
    },
    async stop(request) {
      await whereItRuns(() =>
        temporal.use((client) => client.workflow.getHandle(chatId).signal<[StopRequest]>('stop', request)),
      );
    },
    pause: () => whereItRuns(() => temporal.use((client) => client.workflow.getHandle(chatId).signal('pause'))),
    async terminate(reason) {
      await whereItRuns(() => temporal.use((client) => client.workflow.getHandle(chatId).terminate(reason)));
    },
    async discard() {
      await temporal.use((client) =>
        client.workflow.start<(input: ChatInput) => Promise<void>>(chatWorkflowType, {
          workflowId: `${chatId}-discard`,
          taskQueue,
          args: [{ chatId, discard: true }],
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: `Deletes the data of the chat ${name}`,
        }),
      );
    },
  };
}
