import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { ChatTurn } from '../activities/chat.ts';
import { usesSandbox } from '../agents/delegate-definition.ts';
import { database } from './activities.ts';
import { answerMessage, type ExchangeEnding } from './answer-message.ts';
import { type ChatInput, messageUpdate, stopSignal, wakeSignal } from './chat-messages.ts';
import { releaseChatSandbox } from './close-sandbox.ts';
import { explain } from './failures.ts';

/** Messages that were stopped before their answer began, and are remembered; of more, most have long ended. */
const mostStopped = 100;

setWorkflowOptions({ failureExceptionTypes: [Error] }, chatWorkflow);

/**
 * Answers the messages of a chat one after the other, in the order in which they were stored. It ends when nobody has said anything
 * for a while, and starts again with the next message: what is to be answered is in the database.
 */
export async function chatWorkflow({ chatId, stopped: earlier = [], ...input }: ChatInput): Promise<void> {
  if (input.discard) return releaseChatSandbox({ chatId, discard: true });
  let news = false;
  let sandbox = input.sandbox ?? false;
  let answering: { id: string; scope: CancellationScope } | undefined;
  const stopped = new Set(earlier);

  setHandler(messageUpdate, async ({ id, text }) => {
    await database.keepChatMessage({ chatId, id, text });
    news = true;
    return { id };
  });
  setHandler(wakeSignal, ({ now } = {}) => {
    news = true;
    if (now !== undefined && now !== answering?.id) answering?.scope.cancel();
  });
  setHandler(stopSignal, ({ message } = {}) => {
    if (message === undefined || message === answering?.id) answering?.scope.cancel();
    else stopped.add(message);
  });

  for (;;) {
    news = false;
    const { turn, idleMinutes } = await database.beginExchange({ chatId });
    if (turn) {
      await answer(turn);
      if (!workflowInfo().continueAsNewSuggested) continue;
      await condition(allHandlersFinished);
      return continueAsNew<typeof chatWorkflow>({ chatId, stopped: [...stopped].slice(-mostStopped), sandbox });
    }
    setCurrentDetails(`Waiting for a message; ends after ${idleMinutes} minutes without one.`);
    if (await condition(() => news, `${idleMinutes} minutes`, { summary: 'Idle until the next message' })) continue;
    await condition(allHandlersFinished);
    if (!news && sandbox) {
      sandbox = false;
      await releaseChatSandbox({ chatId });
      await condition(allHandlersFinished);
    }
    if (!news) return;
  }

  async function answer({ id, number, runId, turn, limits }: ChatTurn): Promise<void> {
    const scope = new CancellationScope();
    answering = { id, scope };
    if (stopped.delete(id)) scope.cancel();
    const run = { chatId, runId, role: 'chat' as const, maxTurns: limits.modelCalls };
    let ending: ExchangeEnding;
    try {
      ending = await scope.run(() =>
        answerMessage(run, turn, limits, {
          onTurn: (call) =>
            setCurrentDetails(`Answering message ${number}: model call ${call} of at most ${limits.modelCalls}.`),
          onCall: (tool) => {
            sandbox ||= usesSandbox(tool);
          },
        }),
      );
    } catch (error) {
      // What is stopped while its worker is dead ends with a time-out rather than as cancelled.
      ending =
        isCancellation(error) || scope.consideredCancelled
          ? { status: 'STOPPED', reason: 'It was stopped.' }
          : { status: 'FAILED', reason: explain(error) };
    }
    answering = undefined;
    await CancellationScope.nonCancellable(() => database.endExchange({ chatId, id, ...ending }));
  }
}
