import { definitionOf } from '../../agents/definition-of.ts';
import { isToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import { findWarnings } from '../../db/budget/budget.ts';
import { warnOfBudgets } from '../../db/budget/warn-of-budgets.ts';
import { isAlreadyThere } from '../../db/connection/is-already-there.ts';
import { outlastOutage } from '../../db/connection/retry-until-available.ts';
import { addToOwner } from '../../db/events/add-to-owner.ts';
import { deliverSteeringMessages } from '../../db/steering/deliver-steering-messages.ts';
import { answerOpenCalls } from '../../db/transcript/answer-open-calls.ts';
import { describeCall } from '../../db/transcript/describe-call.ts';
import type { Conversation } from '../../db/transcript/read-conversation.ts';
import { findAnswer, insertMessage, messageStatement } from '../../db/transcript/transcript.ts';
import { turnsStatement } from '../../db/transcript/turns-statement.ts';
import { callStatement, insertCall } from '../../db/usage/add-call.ts';
import { readTokensOfTurn } from '../../db/usage/read-usage.ts';
import type { Budgets } from '../../domain/project/settings.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Message } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';
import { withUniqueIds } from '../../models/unique-call-ids.ts';
import { createConversationReader } from '../chat/remember-conversation.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { nudgeFor } from '../run/nudge.ts';
import { createAskModel } from './ask-model.ts';
import { type Answered, createCallLedger } from './call-ledger.ts';
import { type BudgetCheck, checkBudget } from './check-budget.ts';
import type { NeedsSummary } from './conversation.ts';
import type { FreshAnswers } from './fresh-answers.ts';
import { remarkOnLimits } from './remark-on-limits.ts';
import { spentOf } from './spent-of.ts';
import { mostCalls, undoneResults } from './undone-calls.ts';

export type ModelTurn = AgentRun & { turn: number };

/** What a workflow needs to know about an answer. */
export interface AnswerSummary {
  messageNumber: number;
  /** The calls to execute. */
  calls: Array<{ position: number; name: string; readOnly: boolean; summary: string }>;
  /** For a project's agent that has little left: a remark to append to the results of these calls. */
  remark?: string;
  /** How many calls there are beyond these; their results say that they were not executed. */
  undone?: number;
  /** For an agent that answers a person: tokens of the call and of the failed ones before it. */
  tokens?: number;
  /** For an agent that has to call tools: the answer calls none and was cut off at its limit of tokens. */
  cutOff?: true;
  /** For an agent that answers a person: the answer has no text, or was cut off at its limit of tokens. */
  wording?: 'none' | 'cut-off';
  /** Set if a budget is spent, so that the model was not asked: why, and what is left to do. */
  overBudget?: string;
  /** The project's budgets at that time. */
  budgets?: Budgets;
  /** Set if the project is paused, so that the model was not asked; the workflow may not know of the pause yet. */
  paused?: true;
  /** Set if the model was not asked because older turns have to be summarized first. */
  compact?: NeedsSummary['compact'];
  /** Set if the conversation no longer fits the model, however much of it is left out: the provider's message. */
  contextFull?: string;
  /** Set if the model, or a filter in front of it, refused to answer: its message. */
  refused?: string;
}

/** The activity `callModel`: gets one answer from the model and stores it with its usage before the workflow learns of it. */
export function createCallModel(dependencies: Dependencies, fresh?: FreshAnswers) {
  const { database } = dependencies;
  const ask = createAskModel(dependencies);
  const ledger = createCallLedger(dependencies);
  const readConversation = createConversationReader(database);

  return async function callModel(input: ModelTurn): Promise<AnswerSummary> {
    await ledger.settle();
    if (input.lastCall !== undefined) await answerOpenCalls(database, input.runId, input.lastCall);
    let conversation = await readConversation(input.runId);
    const stored = answerIn(conversation, input.turn);
    if (stored) return summarizeStored(input, stored);
    if (conversation.paused) return { ...unasked, paused: true };
    const check = await checkBudget(database, conversation.budgets, input);
    const { overBudget } = check;
    if (overBudget !== undefined) return { ...unasked, overBudget, budgets: conversation.budgets ?? {} };
    if (conversation.hasSteeringMessage && input.projectId !== undefined) {
      await deliverSteeringMessages(database, input);
      conversation = await readConversation(input.runId);
      const meanwhile = answerIn(conversation, input.turn);
      if (meanwhile) return summarizeStored(input, meanwhile);
    }
    const { messages, summary } = conversation;
    const started = performance.now();
    return withHeartbeat(async ({ cancel, detach, note }) => {
      const signal = AbortSignal.any([cancel, detach]);
      const answer = await ask(input, conversation, { signal, note });
      if ('compact' in answer || 'contextFull' in answer) return { ...unasked, ...answer };
      const elapsedMs = Math.round(performance.now() - started);
      const number = Math.max(messages.at(-1)?.number ?? -1, summary?.upToMessage ?? -1) + 1;
      if ('refused' in answer) return outlastOutage(signal, () => storeRefusal(input, number, answer.refused));
      const isKnown = (id: string) => messages.some(({ content }) => content.toolCalls?.some((call) => call.id === id));
      const tidy = { ...answer, toolCalls: withUniqueIds(answer.toolCalls, isKnown, `${input.turn}`) };
      // The answer is paid for: a database outage must not lose it.
      return outlastOutage(signal, () => store(input, number, tidy, elapsedMs, check));
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
      await addToOwner(database, input, {
        events: [
          {
            type: 'turn-completed',
            run: runId,
            turn,
            text: preview(answer.text),
            tools: (refused ? [] : toolCalls)
              .slice(0, mostCalls)
              .map((call) => ({ tool: preview(call.name, 60), preview: describeCall(call, 80) })),
            inputTokens: answer.usage?.inputTokens ?? null,
            outputTokens: answer.usage?.outputTokens ?? null,
            durationMs: elapsedMs,
          },
        ],
        rows: (query) => [
          messageStatement({ runId, ...message }),
          ...(toolCalls.length || refused || answersInWords ? [] : [messageStatement(nudge)]),
          ...(toolCalls.length > mostCalls ? [insertMessage(query, ...undoneResults(runId, message))] : []),
          callStatement(entry),
          turnsStatement({ runId, turn }),
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
    fresh?.add(runId, message);
    if (crossed.length) await warnOfBudgets(database, input);
    const failedBefore = answer.calls > 1 || (entry.attempt ?? 1) > 1;
    const tokens = answersInWords && failedBefore ? await readTokensOfTurn(database, runId, turn) : used.tokens;
    return summarize(input, message, tokens, warnings);
  }

  /** Marks the turn of a chat whose request was refused, so that the next request leaves out what was. */
  async function storeRefusal(input: ModelTurn, number: number, said: string): Promise<AnswerSummary> {
    const { runId, turn } = input;
    const message = { number, turn, role: 'assistant' as const, content: { text: '', refused: true } };
    try {
      await addToOwner(database, input, {
        events: [],
        rows: () => [messageStatement({ runId, ...message }), turnsStatement({ runId, turn })],
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

/** The summary of a turn whose model was not asked. */
const unasked = { messageNumber: -1, calls: [] };

/** Agents that answer a person have limits of another kind, which their workflow tells them. */
function remarkOn(input: ModelTurn, warnings: string[]): string | undefined {
  return definitionOf(input).answersInWords ? undefined : remarkOnLimits(input, warnings);
}

function summarize(input: ModelTurn, message: Message, tokens: number, warnings: string[] = []): AnswerSummary {
  const answersInWords = definitionOf(input).answersInWords;
  const { refused, cutOff, toolCalls = [] } = message.content;
  // A refusal in the middle of calls ends the run, and with it these calls get their results.
  const calls = refused ? [] : toolCalls;
  const remark = remarkOn(input, warnings);
  return {
    messageNumber: message.number,
    ...(remark && { remark }),
    ...(refused && { refused: tellRefusal(message) }),
    ...(answersInWords ? { tokens, ...wordingOf(message) } : cutOff && !calls.length && { cutOff }),
    ...(calls.length > mostCalls && { undone: calls.length - mostCalls }),
    calls: calls.slice(0, mostCalls).map((call, position) => ({
      position,
      name: preview(call.name, 60),
      readOnly: isToolName(call.name) && toolDeclarations[call.name].readOnly,
      summary: `${preview(call.name, 60)} ${describeCall(call, 80)}`.trim(),
    })),
  };
}

/** A filter may stop an answer before its first word. */
function tellRefusal({ content }: Message): string {
  const within = content.toolCalls?.at(-1)?.name;
  return (
    preview(content.text, 300) || (within ? `it was stopped in a call of ${preview(within, 60)}` : 'it said nothing')
  );
}

function wordingOf({ content }: Message): Pick<AnswerSummary, 'wording'> {
  if (content.cutOff) return { wording: 'cut-off' };
  return content.text.trim() ? {} : { wording: 'none' };
}
