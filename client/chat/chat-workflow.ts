import type { ChatInput, StopRequest, WakeRequest } from '../../workflows/chat-messages.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';

/** The name that `chatWorkflow` is registered under; its code is loaded by workers only. */
const chatWorkflowType = 'chatWorkflow';

/** What the client does with a chat's workflow, which runs while there is something to answer and a while longer. */
export interface ChatWorkflow {
  /** Begins it where it does not run; needs no worker. */
  wake(request: WakeRequest): Promise<void>;
  stop(request: StopRequest): Promise<void>;
  /** Lets what is in flight finish, and begins nothing new; false where it does not run. */
  pause(): Promise<boolean>;
  /** Ends it where it runs. */
  terminate(reason: string): Promise<void>;
  /** Has what the chat kept outside of the database removed; it must have ended. Needs no worker. */
  discard(): Promise<void>;
}

export function createChatWorkflow(
  temporal: TemporalAccess,
  taskQueue: string,
  chatId: string,
  name: string,
): ChatWorkflow {
  /** False where it does not run, so that there is nothing to end. */
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
      const { chatAttribute } = await import('../../workflows/search-attributes.ts');
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
          staticSummary: `Removes what the chat ${name} kept`,
        }),
      );
    },
  };
}
