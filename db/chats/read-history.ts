import { and, asc, gt, inArray } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { messages, toolCalls } from '../schema/runs.ts';
import type { ExchangeStatus } from '../statuses.ts';
import type { Message, MessageContent, Recollection } from '../transcript/message.ts';
import { isInRanges, isSaidIn, readBranchRanges } from './branch-ranges.ts';
import { resolveBranch } from './branches.ts';
import { resolveChat } from './chats.ts';
import type { Distillation, Kept } from './distillation.ts';
import { type ExchangeRow, readExchanges } from './exchanges.ts';

/** What a person said, and what came of it. */
export interface ChatExchange {
  /** Of the person's message. */
  id: string;
  number: number;
  said: string;
  status: ExchangeStatus;
  /** Why there is no answer, or not all of one. */
  reason: string | null;
  /** What the agent said last; all that it said stands in `steps`. */
  answer: string;
  /** What the agent said and did, in order. */
  steps: ChatStep[];
  /** The ids of the memories that it was given with the message. */
  recalled: string[];
  /** What these are, and why they were recalled. */
  recollections: Recollection[];
  /** What was kept of it beyond the conversation. */
  kept: Kept[];
  /** How far the look for what to keep has come, and why nothing was kept; null where there is none. */
  distillation: Pick<Distillation, 'status' | 'reason'> | null;
  createdAt: Date;
  endedAt: Date | null;
}

export type ChatStep =
  | { type: 'text'; text: string }
  /** `failed` is null while it is at work. */
  | { type: 'tool'; tool: string; arguments: string; failed: boolean | null; result: string };

type Stored = Message & { runId: string };

/**
 * All that was said in a branch of a chat, in order; in the current one, to which what waits belongs, where none is named.
 * @throws {BranchError} where it has no such branch; {UnknownChatError}.
 */
export async function readHistory(query: Queryable, chatId: string, branch?: string): Promise<ChatExchange[]> {
  const chat = await resolveChat(query, chatId);
  const headId = await resolveBranch(query, chat, branch);
  const ranges = headId === null ? [] : await readBranchRanges(query, headId);
  const partIds = ranges.map(({ runId: id }) => id);
  const { runId, number, turn, role, content } = messages;
  const [exchanges, said, calls] = await Promise.all([
    readExchanges(query, chatId),
    query
      .select({ runId, number, turn, role, content })
      .from(messages)
      .where(and(isInRanges(ranges), gt(turn, 0)))
      .orderBy(asc(runId), asc(number)),
    query
      .select({ runId: toolCalls.runId, turn: toolCalls.turn, position: toolCalls.position, failed: toolCalls.failed })
      .from(toolCalls)
      .where(inArray(toolCalls.runId, partIds)),
  ]);
  const failures = new Map(calls.map((call) => [`${call.runId}.${call.turn}.${call.position}`, call.failed]));
  const shown = exchanges.filter((one) => (one.runId === null ? headId === chat.headRunId : isSaidIn(ranges, one)));
  return shown.map((exchange) => {
    const steps = ownMessages(exchange, exchanges, said).flatMap((message, _, own) => stepsOf(message, own, failures));
    const asked = said.find((one) => one.runId === exchange.runId && one.number === exchange.messageNumber);
    return describe(exchange, steps, asked?.content);
  });
}

/** From the person's message to the next one's in the same run. */
function ownMessages({ runId, messageNumber }: ExchangeRow, all: ExchangeRow[], said: Stored[]): Stored[] {
  if (runId === null || messageNumber === null) return [];
  const later = all.flatMap((one) =>
    one.runId === runId && (one.messageNumber ?? 0) > messageNumber ? one.messageNumber : [],
  );
  const end = Math.min(...later.map((number) => number ?? Number.POSITIVE_INFINITY));
  return said.filter((one) => one.runId === runId && one.number > messageNumber && one.number < end);
}

function stepsOf(message: Stored, own: Stored[], failures: Map<string, boolean | null>): ChatStep[] {
  const { role, content, runId, turn, number } = message;
  if (role !== 'assistant') return [];
  const calls = (content.toolCalls ?? []).map((call, position): ChatStep => {
    const result = own.find((one) => one.role === 'tool' && one.number === number + 1 + position);
    // What a limit or a stop left undone has a result and no row.
    const failed = failures.get(`${runId}.${turn}.${position}`) ?? (result ? true : null);
    return { type: 'tool', tool: call.name, arguments: call.arguments, failed, result: result?.content.text ?? '' };
  });
  return [...(content.text.trim() ? [{ type: 'text' as const, text: content.text }] : []), ...calls];
}

function describe(exchange: ExchangeRow, steps: ChatStep[], asked: MessageContent | undefined): ChatExchange {
  const { id, number, text: said, status, reason, createdAt, endedAt } = exchange;
  const { recalled = [], recollections = [] } = asked ?? {};
  const last = steps.findLast((step) => step.type === 'text');
  const answer = last?.type === 'text' ? last.text : '';
  const looked = exchange.distillation;
  const [kept, distillation] = [looked?.kept ?? [], looked && { status: looked.status, reason: looked.reason }];
  const memories = { recalled, recollections, kept, distillation };
  return { id, number, said, status, reason, answer, steps, ...memories, createdAt, endedAt };
}
