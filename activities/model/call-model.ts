import { definitionOf } from '../../agents/agent-definition.ts';
import { warnOfBudgets } from '../../db/budget/warn-of-budgets.ts';
import { isAlreadyThere } from '../../db/connection/query-errors.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { addToOwner } from '../../db/events/add-to-owner.ts';
import { deliverSteeringMessages } from '../../db/steering/deliver-steering-messages.ts';
import { answerOpenCalls } from '../../db/transcript/answer-open-calls.ts';
import { describeCall } from '../../db/transcript/describe-call.ts';
import { createKnownMessages } from '../../db/transcript/known-messages.ts';
import { type Conversation, readConversation } from '../../db/transcript/read-conversation.ts';
import { findAnswer, insertMessage, setTurns } from '../../db/transcript/transcript.ts';
import { insertCall, type NewCall } from '../../db/usage/add-call.ts';
import { readTokensOfTurn } from '../../db/usage/read-usage.ts';
import { type Amounts, findWarnings } from '../../domain/project/budgets.ts';
import type { Message } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';
import { withUniqueIds } from '../../models/conversation/unique-call-ids.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { createOwners } from '../run/owners/create-owners.ts';
import type { BudgetCheck } from '../run/owners/owner.ts';
import { type AnswerSummary, remarkOn, summarize, unasked } from './answer-summary.ts';
import { createAskModel, type ModelTurn } from './ask-model.ts';
import { type Answered, createModelCalls } from './model-calls.ts';
import { maxCalls, resultsOfSkipped } from './skipped-calls.ts';

/** The activity `callModel`: gets one answer from the model and stores it with its usage before the workflow learns of it. */
export function createCallModel(dependencies: Dependencies) {
  const { database, answers } = dependencies;
  const ask = createAskModel(dependencies);
  const modelCalls = createModelCalls(dependencies);
  const owners = createOwners(dependencies);
  const known = createKnownMessages();

  return async function callModel(input: ModelTurn): Promise<AnswerSummary> {
    await modelCalls.recordLostCall();
    if (input.lastCall !== undefined) await answerOpenCalls(database, input.runId, input.lastCall);
    let conversation = await readConversation(database, input.runId, known);
    const stored = answerIn(conversation, input.turn);
    if (stored) return summarizeStored(input, stored);
    if (conversation.paused) return { ...unasked, paused: true };
    const check = await owners[input.owner.kind].checkBudget(input, conversation);
    if (check.stop) return { ...unasked, overBudget: check.stop };
    if (conversation.hasSteeringMessage) {
      await deliverSteeringMessages(database, { ...input, projectId: input.owner.id });
      conversation = await readConversation(database, input.runId, known);
      const meanwhile = answerIn(conversation, input.turn);
      if (meanwhile) return summarizeStored(input, meanwhile);
    }
    const { messages, summary } = conversation;
    const started = performance.now();
    return withHeartbeat(async ({ cancel, detach, note }) => {
      const signal = AbortSignal.any([cancel, detach]);
      const answer = await answers.attend(input.owner.id, () => ask(input, conversation, { signal, note }));
      if ('compact' in answer || 'contextFull' in answer) return { ...unasked, ...answer };
      const elapsedMs = Math.round(performance.now() - started);
      const number = Math.max(messages.at(-1)?.number ?? -1, summary?.upToMessage ?? -1) + 1;
      if ('refused' in answer) return retryUntilAvailable(signal, () => storeRefusal(input, number, answer.refused));
      const isKnown = (id: string) => messages.some(({ content }) => content.toolCalls?.some((call) => call.id === id));
      const tidy = { ...answer, toolCalls: withUniqueIds(answer.toolCalls, isKnown, `${input.turn}`) };
      // The answer is paid for: a database outage must not lose it.
      const answered = await retryUntilAvailable(signal, () => store(input, number, tidy, elapsedMs, check));
      answers.tellStored(input.owner.id);
      return answered;
    });
  };

  async function store(
    input: ModelTurn,
    number: number,
    answer: Answered,
    elapsedMs: number,
    check: BudgetCheck,
  ): Promise<AnswerSummary> {
    const { runId, turn } = input;
    const { toolCalls, carried, finish, entry } = answer;
    const used = spentOf(entry, elapsedMs);
    const refused = finish === 'refusal';
    const answersInWords = definitionOf(input).answersInWords ?? false;
    const cutOff = finish === 'length';
    const message: Message = {
      number,
      turn,
      role: 'assistant',
      content: {
        text: answer.text,
        ...(toolCalls.length && { toolCalls }),
        ...(carried && { carried }),
        ...(refused && { refused }),
        ...(cutOff && { cutOff }),
      },
    };
    const before = new Set(findWarnings(check.standings).map(({ limit }) => limit));
    const crossed = findWarnings(check.standings, used).filter(({ limit }) => !before.has(limit));
    const warnings = [...check.warnings, ...crossed].map(({ text }) => text);
    const text = [nudgeFor(finish), remarkOn(input, warnings)].filter(Boolean).join('\n\n');
    const nudge = { runId, turn, number: number + 1, role: 'user' as const, content: { text } };
    try {
      await addToOwner(database, input.owner, {
        events: [
          {
            type: 'assistant.message',
            run: runId,
            turn,
            text: preview(answer.text),
            tools: (refused ? [] : toolCalls)
              .slice(0, maxCalls)
              .map((call) => ({ tool: preview(call.name, 60), preview: describeCall(call, 80) })),
            inputTokens: answer.usage?.inputTokens ?? null,
            outputTokens: answer.usage?.outputTokens ?? null,
            durationMs: elapsedMs,
          },
        ],
        rows: (query) => [
          insertMessage(query, { runId, ...message }),
          ...(toolCalls.length || refused || answersInWords ? [] : [insertMessage(query, nudge)]),
          ...(toolCalls.length > maxCalls ? [insertMessage(query, ...resultsOfSkipped(runId, message))] : []),
          insertCall(query, entry),
          setTurns(query, runId, turn),
        ],
      });
    } catch (error) {
      if (!isAlreadyThere(error)) throw error;
      // An attempt that was presumed dead has stored its answer meanwhile; the first one stays.
      const earlier = await findAnswer(database, runId, turn);
      if (!earlier) throw error;
      await insertCall(database, { ...entry, outcome: 'UNUSED' });
      return summarizeStored(input, earlier);
    }
    if (crossed.length) await warnOfBudgets(database, { ...input, projectId: input.owner.id });
    const failedBefore = answer.calls > 1 || (entry.attempt ?? 1) > 1;
    const tokens = answersInWords && failedBefore ? await readTokensOfTurn(database, runId, turn) : used.tokens;
    return summarize(input, message, tokens, warnings);
  }

  /** Marks the turn of a chat whose request was refused, so that the next request omits what was refused. */
  async function storeRefusal(input: ModelTurn, number: number, said: string): Promise<AnswerSummary> {
    const { runId, turn } = input;
    const message = { number, turn, role: 'assistant' as const, content: { text: '', refused: true } };
    try {
      await addToOwner(database, input.owner, {
        events: [],
        rows: (query) => [insertMessage(query, { runId, ...message }), setTurns(query, runId, turn)],
      });
    } catch (error) {
      if (!isAlreadyThere(error)) throw error;
    }
    return { ...unasked, messageNumber: number, refused: said };
  }

  async function summarizeStored(input: ModelTurn, message: Message): Promise<AnswerSummary> {
    const { runId, turn } = input;
    const counts = definitionOf(input).answersInWords;
    return summarize(input, message, counts ? await readTokensOfTurn(database, runId, turn) : 0);
  }
}

function answerIn({ messages }: Conversation, turn: number): Message | undefined {
  return messages.find((message) => message.turn === turn && message.role === 'assistant');
}

/** The message that follows an answer without a tool call, since such an answer gets nothing done. */
function nudgeFor(finish: Answered['finish']): string {
  return finish === 'length'
    ? 'Your answer was cut off at the token limit. Continue where it ended, in smaller steps and with a tool call.'
    : 'You answered without calling a tool, so nothing happened. Continue with a tool call. To end your run, call the tool that ends it.';
}

/** What an answer takes from the budgets, as far as it is known; `elapsedMs` is the time since they were checked. */
function spentOf({ inputTokens, outputTokens, costUsd }: NewCall, elapsedMs: number): Amounts {
  return {
    usd: costUsd ?? 0,
    tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
    turns: 1,
    minutes: elapsedMs / 60_000,
  };
}
