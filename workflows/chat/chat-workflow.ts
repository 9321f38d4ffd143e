import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  log,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ChatTurn } from '../../activities/chat/chat.ts';
import { usesSandbox } from '../../agents/agent-definition.ts';
import type { ChatInput } from '../../domain/chat/messages.ts';
import { database, extraction, requests } from '../activities.ts';
import { releaseChatSandbox } from '../agent/close-sandbox.ts';
import { createPauseGate } from '../agent/pause-gate.ts';
import { explain } from '../failures.ts';
import { forwardPause } from '../start-child.ts';
import { createMessageTraces } from '../tracing/message-traces.ts';
import { answerMessage, endingOfError } from './answer-message.ts';
import type { ExchangeEnding } from './endings.ts';
import { filesUpdate, messageUpdate, stopSignal, validateMessage, wakeSignal } from './messages.ts';
import type { Delegates } from './run-chat-call.ts';

/** How many ids of stopped, urgent and answered messages are kept, so that the state does not grow. */
const maxRemembered = 100;

/**
 * Answers the messages of a chat one by one, in the order stored. It ends after some idle time and starts again with the next message, since
 * waiting messages are in the database. While none waits, it extracts memories from finished turns; a new message does not wait for that.
 */
export async function chatWorkflow({
  chatId,
  stopped: earlier = [],
  urgent = [],
  answered: before = [],
  paused = false,
  ...input
}: ChatInput): Promise<void> {
  if (input.discard) return releaseChatSandbox({ chatId, discard: true });
  let news = false;
  let sandbox = input.sandbox ?? false;
  let releasing = false;
  let answering: { id: string; scope: CancellationScope } | undefined;
  /** The chat waits for a message. */
  let resting = false;
  /** A stop arrived before the next message was known: skip that answer, unless it is to `unless`. */
  let stopNext: { unless?: string } | undefined;
  /** The current activity, for the Temporal UI. */
  let doing = '';
  let extracting = false;
  /** The last extraction failed, so it is tried again after the next turn. */
  let extractionFailed = false;
  const stopped = new Set(earlier);
  /** Messages whose answers were started, the latest last. */
  let answered = before;
  /** The running delegates of the current answer. */
  const delegates: Delegates = new Set();
  const traces = createMessageTraces(maxRemembered);
  const gate = createPauseGate({ paused });
  gate.onChange((request) => {
    showDetails();
    for (const delegate of delegates) forwardPause(delegate, request);
  });

  setHandler(
    messageUpdate,
    async ({ id, text }) => {
      traces.keep(id);
      await database.keepChatMessage({ chatId, id, text });
      news = true;
      if (gate.paused) gate.release();
      return { id };
    },
    { validator: validateMessage },
  );
  setHandler(filesUpdate, async ({ id }) => {
    await condition(() => !releasing);
    sandbox = true;
    await requests.transferFiles({ id });
  });
  setHandler(wakeSignal, ({ message, now, goesOn } = {}) => {
    news = true;
    if (message !== undefined) traces.keep(message);
    if (goesOn && gate.paused) gate.release();
    if (now === undefined || now === answering?.id) return;
    if (answered.includes(now)) return; // a client that gets no reply to a wake-up sends it again
    urgent = [now, ...urgent.filter((id) => id !== now)].slice(0, maxRemembered);
    if (answering) answering.scope.cancel();
    else stopNext = { unless: now };
  });
  setHandler(stopSignal, ({ message } = {}) => {
    if (answering && (message === undefined || message === answering.id)) answering.scope.cancel();
    else if (message !== undefined) stopped.add(message);
    else if (!resting || news) stopNext = {};
  });

  for (;;) {
    if (gate.paused) {
      setDetails('Between two messages.');
      await condition(() => !gate.paused);
    }
    news = false;
    const { turn, idleMinutes, extractMemories } = await database.beginExchange({
      chatId,
      ...(urgent.length > 0 && { urgent }),
    });
    const isStopped = stopNext !== undefined && stopNext.unless !== turn?.id;
    stopNext = undefined;
    if (turn) {
      urgent = urgent.filter((id) => id !== turn.id);
      await traces.follow(turn.id, () => answer(turn, isStopped));
      extractionFailed = false;
      if (!workflowInfo().continueAsNewSuggested || extracting) continue;
      await condition(allHandlersFinished);
      const carried = { chatId, stopped: [...stopped].slice(-maxRemembered), urgent, answered };
      return continueAsNew<typeof chatWorkflow>({ ...carried, sandbox, paused: gate.paused });
    }
    if (extractMemories && !extracting && !extractionFailed) void extractDueTurns();
    setDetails(`Waiting for a message; ends after ${idleMinutes} minutes without one.`);
    resting = true;
    const woken = await condition(() => news, `${idleMinutes} minutes`, { summary: 'Idle until the next message' });
    resting = false;
    if (woken) continue;
    await condition(() => news || (allHandlersFinished() && !extracting));
    while (!news && sandbox) {
      sandbox = false;
      releasing = true;
      await releaseChatSandbox({ chatId });
      releasing = false;
      await condition(allHandlersFinished);
    }
    if (!news) return;
  }

  function setDetails(what: string): void {
    doing = what;
    showDetails();
  }

  function showDetails(): void {
    setCurrentDetails(gate.paused ? `**Paused** until a resume or the next message. ${doing}` : doing);
  }

  async function extractDueTurns(): Promise<void> {
    extracting = true;
    try {
      await extraction.extractMemories({ chatId });
    } catch (error) {
      extractionFailed = true;
      log.warn('Memory extraction failed.', { chatId, reason: explain(error) });
    }
    extracting = false;
    news = true;
  }

  /** `stoppedEarly`: a stop arrived while the turn was being prepared. */
  async function answer({ id, number, runId, turn, limits, memory }: ChatTurn, stoppedEarly: boolean): Promise<void> {
    const scope = new CancellationScope();
    answering = { id, scope };
    answered = [...answered, id].slice(-maxRemembered);
    if (stopped.delete(id) || stoppedEarly) scope.cancel();
    const role = 'chat' as const;
    const { modelCalls: maxTurns, tokens: answerTokens, stuck } = limits;
    const owner = { kind: 'chat' as const, id: chatId };
    const run = { owner, runId, role, maxTurns, answerTokens, stuck, ...(memory === false && { memory }) };
    let ending: ExchangeEnding;
    try {
      ending = await scope.run(() =>
        answerMessage(run, gate, turn, limits, {
          onTurn: (call) =>
            setDetails(`Answering message ${number}: model call ${call} of at most ${limits.modelCalls}.`),
          onCall: (tool) => {
            sandbox ||= usesSandbox(tool);
          },
          delegates,
        }),
      );
    } catch (error) {
      ending = endingOfError(error, scope);
    }
    await CancellationScope.nonCancellable(() => database.endExchange({ chatId, id, ...ending }));
    answering = undefined;
  }
}
