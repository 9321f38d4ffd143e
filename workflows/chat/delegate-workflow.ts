import { CancellationScope, setCurrentDetails } from '@temporalio/workflow';
import type { Delegation } from '../../activities/chat/delegate.ts';
import { database } from '../activities.ts';
import { createPauseGate } from '../agent/pause-gate.ts';
import { answerMessage, endingOfError } from './answer-message.ts';
import type { ExchangeEnding } from './endings.ts';

/** Runs a delegate of a chat: an agent with its own transcript and limits, which ends with an answer in words. */
export async function delegateWorkflow(input: Delegation): Promise<void> {
  const { chatId, parentRunId, runId, role, memory } = input;
  // A cancellation must not interrupt this: a run that exists must also be ended.
  const limits = await CancellationScope.nonCancellable(() => database.startDelegate(input));
  if (!limits) return;
  let doing = '';
  const showDetails = () => setCurrentDetails(gate.paused ? `**Paused** until a resume. ${doing}` : doing);
  const gate = createPauseGate({});
  gate.onChange(showDetails);
  let ending: ExchangeEnding;
  try {
    const { modelCalls: maxTurns, stuck } = limits;
    const owner = { kind: 'chat' as const, id: chatId };
    const run = { owner, parentRunId, runId, role, maxTurns, stuck, ...(memory === false && { memory }) };
    const onTurn = (call: number) => {
      doing = `**${role} agent**: model call ${call} of at most ${limits.modelCalls}.`;
      showDetails();
    };
    ending = await answerMessage(run, gate, 1, limits, { onTurn });
  } catch (error) {
    ending = endingOfError(error, CancellationScope.current());
  }
  await CancellationScope.nonCancellable(() => database.endDelegate({ chatId, runId, ...ending }));
}
