import { CancellationScope, isCancellation, setCurrentDetails, setWorkflowOptions } from '@temporalio/workflow';
import type { Delegation } from '../activities/delegate.ts';
import { database } from './activities.ts';
import { answerMessage, type ExchangeEnding } from './answer-message.ts';
import { explain } from './failures.ts';

setWorkflowOptions({ failureExceptionTypes: [Error] }, delegateWorkflow);

/** What a chat delegates: an agent with a transcript and limits of its own, that ends with an answer in words. */
export async function delegateWorkflow(input: Delegation): Promise<void> {
  const { chatId, parentRunId, runId, role } = input;
  const limits = await database.startDelegate(input);
  if (!limits) return;
  let ending: ExchangeEnding;
  try {
    const run = { chatId, parentRunId, runId, role, maxTurns: limits.modelCalls };
    const onTurn = (call: number) =>
      setCurrentDetails(`**${role} agent**: model call ${call} of at most ${limits.modelCalls}.`);
    ending = await answerMessage(run, 1, limits, { onTurn });
  } catch (error) {
    // What is stopped while its worker is dead ends with a time-out rather than as cancelled.
    ending =
      isCancellation(error) || CancellationScope.current().consideredCancelled
        ? { status: 'STOPPED', reason: 'It was stopped.' }
        : { status: 'FAILED', reason: explain(error) };
  }
  await CancellationScope.nonCancellable(() => database.endDelegate({ chatId, runId, ...ending }));
}
