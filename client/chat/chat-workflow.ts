import type { ChatInput, StopRequest, WakeRequest } from '../../domain/chat/messages.ts';
import { searchAttributes } from '../../domain/search-attributes.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';

/** The name that `chatWorkflow` is registered under; only workers load its code. */
const chatWorkflowType = 'chatWorkflow';

/** The client's operations on a chat's workflow, which runs while there is something to answer and a while longer. */
export interface ChatWorkflow {
  /** Starts it if it is not running; needs no worker. */
  wake(request: WakeRequest): Promise<void>;
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

  return {
    async wake(request) {
      const { defineSearchAttributeKey, SearchAttributeType } = await import('@temporalio/common');
      const chatAttribute = defineSearchAttributeKey(searchAttributes.chat, SearchAttributeType.KEYWORD);
      await temporal.use((client) =>
        client.workflow.signalWithStart<(input: ChatInput) => Promise<void>, [WakeRequest]>(chatWorkflowType, {
          workflowId: chatId,
          taskQueue,
          args: [{ chatId }],
          signal: 'wake',
          signalArgs: [request],
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: `Chat ${name}`,
          typedSearchAttributes: [{ key: chatAttribute, value: chatId }],
        }),
      );
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
