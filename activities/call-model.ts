import { eq } from 'drizzle-orm';
import { definitionOf } from '../agents/definition-of.ts';
import { isToolName, toolDeclarations } from '../agents/tools/tool-declarations.ts';
import { addToOwner } from '../db/add-to-owner.ts';
import { type BudgetStanding, findWarnings } from '../db/budget.ts';
import { deliverInterjections } from '../db/interjections/deliver-interjections.ts';
import { isAlreadyThere } from '../db/is-already-there.ts';
import { outlastOutage } from '../db/outlast-outage.ts';
import { runs, usage } from '../db/schema/runs.ts';
import { preview } from '../db/storable-text.ts';
import type { Message } from '../db/transcript/message.ts';
import type { Conversation } from '../db/transcript/read-conversation.ts';
import { findAnswer, insertMessage, readTokensOfTurn } from '../db/transcript/transcript.ts';
import type { ModelAnswer } from '../models/model-provider.ts';
import { withOwnIds } from '../models/tidy-answer.ts';
import type { AgentRun } from '../workflows/agent-loop.ts';
import { createAskModel } from './ask-model.ts';
import { checkBudget } from './check-budget.ts';
import type { NeedsSummary } from './conversation.ts';
import type { Dependencies } from './dependencies.ts';
import { describeCall } from './describe-call.ts';
import { withHeartbeat } from './heartbeat.ts';
import { nudgeFor } from './nudge.ts';
import { createConversationReader } from './remember-conversation.ts';
import { usageOf } from './usage-of.ts';

export type ModelTurn = AgentRun & { turn: number };

/** What a workflow needs to know of an answer. */
export interface AnswerSummary {
  messageNumber: number;
  calls: Array<{ position: number; name: string; readOnly: boolean; summary: string }>;
  /** Of an agent that answers a person: tokens of the call. */
  tokens?: number;
  /** Of an agent that answers a person: there are no words in it, or they break off at its limit of tokens. */
  wording?: 'none' | 'cut-off';
  /** Set where a budget is spent, so that the model was not asked: why, and what is left to do. */
  overBudget?: string;
  /** Set where the project is paused, so that the model was not asked: of this the workflow may not have heard yet. */
  paused?: true;
  /** Set where the model was not asked, since older turns have to be summarized first. */
  compact?: NeedsSummary['compact'];
  /** Set where the conversation no longer fits the model, however much of it is left out: what the provider said. */
  contextFull?: string;
  /** Set where the model, or a filter before it, would not answer: what it said. */
  refused?: string;
}

/** The activity `callModel`: one answer of the model, stored with its usage before the workflow learns of it. */
export function createCallModel(dependencies: Dependencies) {
  const { database } = dependencies;
  const ask = createAskModel(dependencies);
  const readConversation = createConversationReader(database);

  return async function callModel(input: ModelTurn): Promise<AnswerSummary> {
    let conversation = await readConversation(input.runId);
    const stored = answerIn(conversation, input.turn);
    if (stored) return summarizeStored(input, stored);
    if (conversation.paused) return { ...unasked, paused: true };
    const { standings, overBudget } = await checkBudget(database, conversation.budgets, input);
    if (overBudget !== undefined) return { ...unasked, overBudget };
    if (conversation.spokenTo && input.projectId !== undefined) {
      await deliverInterjections(database, input);
      conversation = await readConversation(input.runId);
      const meanwhile = answerIn(conversation, input.turn);
      if (meanwhile) return summarizeStored(input, meanwhile);
    }
    const { messages, summary } = conversation;
    const started = performance.now();
    return withHeartbeat(async ({ cancel, detach }) => {
      const signal = AbortSignal.any([cancel, detach]);
      const answer = await ask(input, conversation, signal);
      if ('compact' in answer || 'contextFull' in answer) return { ...unasked, ...answer };
      const durationMs = Math.round(performance.now() - started);
      const number = Math.max(messages.at(-1)?.number ?? -1, summary?.upToMessage ?? -1) + 1;
      const known = new Set(messages.flatMap(({ content }) => content.toolCalls?.map(({ id }) => id) ?? []));
      const tidy = { ...answer, toolCalls: withOwnIds(answer.toolCalls, known, `${input.turn}`) };
      // It is paid for: an outage of the database must not cost it.
      return outlastOutage(signal, () => store(input, number, tidy, durationMs, standings));
    });
  };

  async function store(
    input: ModelTurn,
    number: number,
    answer: ModelAnswer & { model: string },
    durationMs: number,
    standings: BudgetStanding[],
  ): Promise<AnswerSummary> {
    const { runId, turn } = input;
    const { toolCalls, carried, finish, usage: counted } = answer;
    const { row, used } = usageOf(answer, durationMs);
    const refused = finish === 'refusal' && toolCalls.length === 0;
    const answersInWords = definitionOf(input).answersInWords ?? false;
    const cutOff = answersInWords && finish === 'length';
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
    const nudge = { runId, turn, number: number + 1, role: 'user' as const, content: { text: nudgeFor(finish) } };
    try {
      await addToOwner(database, input, {
        events: [
          {
            type: 'turn-completed',
            run: runId,
            turn,
            text: preview(answer.text),
            tools: toolCalls
              .slice(0, 20)
              .map((call) => ({ tool: preview(call.name, 60), preview: describeCall(call, 80) })),
            inputTokens: counted.inputTokens,
            outputTokens: counted.outputTokens,
            durationMs,
          },
          ...findWarnings(standings, { ...used, turns: 1 }).map((text) => ({ type: 'budget-warned' as const, text })),
        ],
        rows: (query) => [
          insertMessage(query, { runId, ...message }),
          ...(toolCalls.length || refused || answersInWords ? [] : [insertMessage(query, nudge)]),
          query.insert(usage).values({ runId, turn, ...row }),
          query.update(runs).set({ turns: turn }).where(eq(runs.id, runId)),
        ],
      });
    } catch (error) {
      if (!isAlreadyThere(error)) throw error;
      // An attempt that was given up as dead stored its answer meanwhile; the first one stays.
      const earlier = await findAnswer(database, runId, turn);
      if (!earlier) throw error;
      return summarizeStored(input, earlier);
    }
    return summarize(input, message, used.tokens);
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

/** Of a turn whose model was not asked. */
const unasked = { messageNumber: -1, calls: [] };

function summarize(input: ModelTurn, message: Message, tokens: number): AnswerSummary {
  const answersInWords = definitionOf(input).answersInWords;
  const calls = message.content.toolCalls ?? [];
  return {
    messageNumber: message.number,
    ...(message.content.refused && { refused: preview(message.content.text, 300) }),
    ...(answersInWords && { tokens, ...wordingOf(message) }),
    calls: calls.map((call, position) => ({
      position,
      name: preview(call.name, 60),
      readOnly: isToolName(call.name) && toolDeclarations[call.name].readOnly,
      summary: `${preview(call.name, 60)} ${describeCall(call, 80)}`.trim(),
    })),
  };
}

function wordingOf({ content }: Message): Pick<AnswerSummary, 'wording'> {
  if (content.cutOff) return { wording: 'cut-off' };
  return content.text.trim() ? {} : { wording: 'none' };
}
