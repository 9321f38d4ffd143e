import { createHash } from 'node:crypto';
import { and, asc, eq, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { describeAmbiguous, matchReference } from '../../domain/match-reference.ts';
import type {
  Answerer,
  AnswerSignal,
  RequestDeadline,
  RequestKind,
  RequestSettings,
} from '../../domain/permissions/request.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import type { ProjectWriter } from '../project/project-transaction.ts';
import { requests } from '../schema/requests.ts';

export type RequestRow = typeof requests.$inferSelect;

export type NewRequest = Pick<RequestRow, 'kind' | 'asked' | 'items'> & {
  /** Names what is asked for: the same key is the same request. */
  key: string;
} & Partial<Pick<RequestRow, 'rule' | 'sessionId' | 'feature'>>;

/** Characters of a person's reason that are kept. */
export const maxReasonLength = 2_000;

/** The id of the request with this key. */
export function requestId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

/** Puts a request of a project into the inbox, or finds the one that is there; one that was withdrawn waits again. */
export async function openRequest(
  transaction: ProjectWriter,
  request: NewRequest,
  settings: RequestSettings,
): Promise<RequestRow> {
  const { projectId, query } = transaction;
  const row = await addRequest(query, { projectId, ...request }, settings);
  if (row) await transaction.log({ type: 'request.opened', request: row.id, text: cutText(request.asked, 500) });
  return row ?? readRequest(query, requestId(request.key));
}

/** The same in a chat, where the default answer counts from the first call after the deadline on. */
export async function openChatRequest(
  query: Queryable,
  request: NewRequest & { chatId: string },
  settings: RequestSettings,
): Promise<RequestRow> {
  const row = await addRequest(query, request, settings);
  if (row) return row;
  const id = requestId(request.key);
  await query
    .update(requests)
    .set({ answer: sql`${requests.defaultAnswer}`, answeredBy: 'deadline', answeredAt: new Date() })
    .where(and(eq(requests.id, id), isNull(requests.answeredBy), lte(requests.deadlineAt, new Date())));
  return readRequest(query, id);
}

/** Adds a request unless there is one of that key; undefined if there was. */
export async function addRequest(
  query: Queryable,
  { key, ...request }: NewRequest & { projectId?: string; chatId?: string; agentRunId?: string },
  { deadlineHours, defaultAnswer }: RequestSettings,
): Promise<RequestRow | undefined> {
  const deadlineAt = deadlineHours === undefined ? null : new Date(Date.now() + deadlineHours * 3_600_000);
  const values = { ...request, deadlineAt, defaultAnswer };
  const again = { ...values, answer: null, answeredBy: null, reason: null, answeredAt: null, createdAt: new Date() };
  const [row] = await query
    .insert(requests)
    .values({ id: requestId(key), ...values })
    .onConflictDoUpdate({ target: requests.id, set: again, setWhere: eq(requests.answeredBy, 'withdrawn') })
    .returning();
  return row;
}

/** Stores the answer to a request of a chat that still waits, whose next call of the tool finds it. */
export async function answerChatRequest(query: Queryable, { id, answer, reason }: AnswerSignal): Promise<void> {
  await query
    .update(requests)
    .set({ answer, answeredBy: 'person', reason: reason ?? null, answeredAt: new Date() })
    .where(and(eq(requests.id, id), isNotNull(requests.chatId), isNull(requests.answeredBy)));
}

/** Takes the yes to a request of a chat, which counts for one call: the same call takes it again, others have to be asked for anew. */
export async function takeAnswer(query: Queryable, id: string, call: string): Promise<boolean> {
  const taken = await query
    .update(requests)
    .set({ usedBy: call })
    .where(and(eq(requests.id, id), or(isNull(requests.usedBy), eq(requests.usedBy, call))))
    .returning({ id: requests.id });
  return taken.length > 0;
}

/** Stores the answer to a request that still waits, or the yes to spending that was refused before; returns whether it did. */
export async function keepAnswer(
  transaction: ProjectWriter,
  { id, answer, reason, by }: AnswerSignal & { by: Answerer },
): Promise<boolean> {
  const text = reason === undefined ? null : cutText(reason, maxReasonLength);
  const kept = await transaction.query
    .update(requests)
    .set({ answer, answeredBy: by, reason: text, answeredAt: new Date() })
    .where(
      and(
        eq(requests.id, id),
        eq(requests.projectId, transaction.projectId),
        answer === 'yes' && by === 'person' ? or(isNull(requests.answeredBy), wasRefused) : isNull(requests.answeredBy),
      ),
    )
    .returning({ id: requests.id });
  if (kept.length)
    await transaction.log({ type: 'request.answered', request: id, answer, by, ...(text && { reason: text }) });
  return kept.length > 0;
}

/** A refusal of spending can be taken back, since the project would stop there for ever. */
const wasRefused = and(eq(requests.kind, 'spending'), ne(requests.answer, 'yes'));

/** The request of a project that still waits and whose deadline comes next; null if none has one. */
export async function readDeadline(query: Queryable, projectId: string): Promise<RequestDeadline | null> {
  const [row] = await query
    .select({ id: requests.id, deadlineAt: requests.deadlineAt, answer: requests.defaultAnswer })
    .from(requests)
    .where(and(eq(requests.projectId, projectId), isNull(requests.answeredBy), isNotNull(requests.deadlineAt)))
    .orderBy(asc(requests.deadlineAt))
    .limit(1);
  return row?.deadlineAt ? { id: row.id, deadline: row.deadlineAt.toISOString(), answer: row.answer } : null;
}

/** Takes what has become pointless out of a project's inbox. */
export async function withdrawRequests(
  query: Queryable,
  { projectId, ...of }: { projectId: string; kind?: RequestKind; sessionId?: string; feature?: string },
): Promise<void> {
  const which = (['kind', 'sessionId', 'feature'] as const).map((name) => {
    const value = of[name];
    return value === undefined ? undefined : eq(requests[name], value);
  });
  await query
    .update(requests)
    .set({ answeredBy: 'withdrawn', answeredAt: new Date() })
    .where(and(eq(requests.projectId, projectId), isNull(requests.answeredBy), ...which));
}

/** All that waits for a person, of one project or of all, oldest first. */
export async function readInbox(query: Queryable, projectId?: string): Promise<RequestRow[]> {
  const ofProject = projectId === undefined ? undefined : eq(requests.projectId, projectId);
  return query
    .select()
    .from(requests)
    .where(and(isNull(requests.answeredBy), ofProject))
    .orderBy(asc(requests.createdAt));
}

export async function findRequest(query: Queryable, id: string): Promise<RequestRow | undefined> {
  const [row] = await query.select().from(requests).where(eq(requests.id, id));
  return row;
}

/**
 * A request, by its id or, while it waits, the start of its id.
 * @throws {DatabaseError} `UnknownRequest`
 */
export async function readRequest(query: Queryable, reference: string): Promise<RequestRow> {
  const row = await findRequest(query, reference);
  const fitting = row ? [row] : matchReference(await readInbox(query), reference);
  if (fitting.length === 1 && fitting[0]) return fitting[0];
  const ids = fitting.map(({ id }) => id);
  throw new DatabaseError(
    'UnknownRequest',
    ids.length
      ? describeAmbiguous(reference, 'requests', ids)
      : `No request has the id "${reference}". \`longhaul inbox\` shows those that wait.`,
  );
}
