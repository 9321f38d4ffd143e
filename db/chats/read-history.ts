import { and, asc, eq, gt, gte, or, type SQL, sql } from 'drizzle-orm';
import type { Kept, MemoryExtraction } from '../../domain/memory/extraction.ts';
import type { ExchangeStatus } from '../../domain/project/statuses.ts';
import type { Message, MessageContent, Recollection } from '../../domain/run/message.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { messages, toolCalls } from '../schema/runs.ts';
import { wholeAnswers } from '../transcript/whole-answers.ts';
import { type BranchRange, isInRanges, readBranchRanges } from './branch-ranges.ts';
import { resolveBranch } from './branches.ts';
import { resolveChat } from './chats.ts';
import type { ExchangeRow } from './find-exchange.ts';
import { readExchangesOf } from './find-exchange.ts';

/** What a person said, and what came of it. */
export interface ChatExchange {
  /** Of the person's message. */
  id: string;
  number: number;
  said: string;
  status: ExchangeStatus;
  /** Why there is no answer, or only a part of one. */
  reason: string | null;
  /** What the agent said last; `steps` has everything it said. */
  answer: string;
  /** What the agent said and did, in order. */
  steps: ChatStep[];
  /** Ids of the memories that were given along with the message. */
  recalled: string[];
  /** What these memories are, and why they were recalled. */
  recollections: Recollection[];
  /** Why nothing was recalled, if memories could not be searched. */
  recallFailure: string | null;
  /** What was kept of it beyond the conversation. */
  kept: Kept[];
  /** How far extraction has come, and why nothing was kept; null if there is none. */
  extraction: Pick<MemoryExtraction, 'status' | 'reason'> | null;
  createdAt: Date;
  endedAt: Date | null;
}

export type ChatStep =
  | { type: 'text'; text: string }
  /** `failed` is null while the call is running. */
  | { type: 'tool'; tool: string; arguments: string; failed: boolean | null; result: string };

type Stored = Message & { runId: string };

/** Which part of a chat's history to read. */
export interface HistoryPart {
  /** Defaults to the current branch, to which waiting messages belong. */
  branch?: string | undefined;
  /** Only this many of the latest exchanges; nothing of the rest is read. */
  last?: number | undefined;
}

/**
 * The exchanges of a branch of a chat, in order, as they are at one moment: a message whose answer begins meanwhile is in it.
 * @throws {DatabaseError} `BranchUnusable` if it has no such branch; {DatabaseError} `UnknownChat`.
 */
export function readHistory(database: Database, chatId: string, part: HistoryPart = {}): Promise<ChatExchange[]> {
  return database.transaction((query) => readExchanges(query, chatId, part), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
}

async function readExchanges(query: Queryable, chatId: string, { branch, last }: HistoryPart): Promise<ChatExchange[]> {
  const chat = await resolveChat(query, chatId);
  const headId = await resolveBranch(query, chat, branch);
  const ranges = headId === null ? [] : await readBranchRanges(query, headId);
  const isCurrent = headId === chat.headRunId;
  const shown = await readExchangesOf(query, chatId, { ranges, isCurrent, last });
  const parts = last === undefined ? ranges : startingAt(ranges, shown);
  const { runId, number, turn, role, content } = messages;
  const { position, failed } = toolCalls;
  const [said, calls] = await Promise.all([
    query
      .select({ runId, number, turn, role, content })
      .from(messages)
      .where(and(isInRanges(parts), gt(turn, 0)))
      .orderBy(asc(runId), asc(number)),
    query
      .select({ runId: toolCalls.runId, turn: toolCalls.turn, position, failed })
      .from(toolCalls)
      .where(isCallOf(parts, shown)),
  ]);
  const failures = new Map(calls.map((call) => [`${call.runId}.${call.turn}.${call.position}`, call.failed]));
  const own = byExchange(shown, inOrderOf(parts, said));
  return shown.map((exchange) => {
    const [asked, ...rest] = own.get(exchange.id) ?? [];
    return describe(exchange, stepsOf(rest, failures), asked?.content);
  });
}

/** The ranges, latest first, cut so that they begin with the first of these exchanges. */
function startingAt(ranges: BranchRange[], shown: ExchangeRow[]): BranchRange[] {
  const first = shown.find(({ runId }) => runId !== null);
  const last = ranges.findIndex(({ runId }) => runId === first?.runId);
  return ranges
    .slice(0, last + 1)
    .map((range, index) =>
      index < last ? range : { ...range, from: Math.max(range.from, first?.messageNumber ?? 0) },
    );
}

/** Messages ordered by number within each run, in the order in which the ranges, latest first, were said. */
function inOrderOf(ranges: BranchRange[], said: Stored[]): Stored[] {
  const place = new Map(ranges.map(({ runId }, index) => [runId, -index]));
  return said.toSorted((left, right) => (place.get(left.runId) ?? 0) - (place.get(right.runId) ?? 0));
}

function isCallOf(ranges: BranchRange[], shown: ExchangeRow[]): SQL | undefined {
  const each = ranges.map(({ runId }) => {
    const own = shown.find((one) => one.runId === runId);
    return and(eq(toolCalls.runId, runId), gte(toolCalls.turn, own?.turn ?? 0));
  });
  return each.length ? or(...each) : sql`false`;
}

/** Per exchange, its messages up to the next exchange; they may go on in a branch that continues its answer. `said` must be in order. */
function byExchange(exchanges: ExchangeRow[], said: Stored[]): Map<string, Stored[]> {
  const idOf = new Map(exchanges.map(({ id, runId, messageNumber }) => [`${runId}.${messageNumber}`, id]));
  const own = new Map<string, Stored[]>();
  let current: Stored[] | undefined;
  for (const message of said) {
    const id = idOf.get(`${message.runId}.${message.number}`);
    if (id !== undefined) {
      current = [];
      own.set(id, current);
    }
    current?.push(message);
  }
  return own;
}

function stepsOf(own: Stored[], failures: Map<string, boolean | null>): ChatStep[] {
  const results = new Map(own.map((message) => [message.number, message]));
  return wholeAnswers(own).flatMap(({ role, content, runId, turn, number }) => {
    if (role !== 'assistant') return [];
    const calls = (content.toolCalls ?? []).map((call, position): ChatStep => {
      const behind = results.get(number + 1 + position);
      const result = behind?.role === 'tool' ? behind : undefined;
      // A call that a limit or a stop left undone has a result but no row.
      const failed = failures.get(`${runId}.${turn}.${position}`) ?? (result ? true : null);
      return { type: 'tool', tool: call.name, arguments: call.arguments, failed, result: result?.content.text ?? '' };
    });
    return [...(content.text.trim() ? [{ type: 'text' as const, text: content.text }] : []), ...calls];
  });
}

function describe(exchange: ExchangeRow, steps: ChatStep[], asked: MessageContent | undefined): ChatExchange {
  const { id, number, text: said, status, reason, createdAt, endedAt } = exchange;
  const { recalled = [], recollections = [], recallFailure = null } = asked ?? {};
  const last = steps.findLast((step) => step.type === 'text');
  const answer = last?.type === 'text' ? last.text : '';
  const looked = exchange.extraction;
  const [kept, extraction] = [looked?.kept ?? [], looked && { status: looked.status, reason: looked.reason }];
  const memories = { recalled, recollections, recallFailure, kept, extraction };
  return { id, number, said, status, reason, answer, steps, ...memories, createdAt, endedAt };
}
