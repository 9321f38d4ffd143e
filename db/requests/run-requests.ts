import { and, eq, isNull, lte } from 'drizzle-orm';
import type { Answerer, AnswerSignal, RequestSettings } from '../../domain/permissions/request.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { addEvents } from '../events/add-to-owner.ts';
import { requests } from '../schema/requests.ts';
import { addRequest, findRequest, maxReasonLength, type NewRequest, type RequestRow, requestId } from './requests.ts';

/** Puts a request of a user's own agent into the inbox, or finds the one that is there; after its deadline, its default answer counts. */
export async function openRunRequest(
  database: Database,
  { runId, ...request }: NewRequest & { runId: string },
  settings: RequestSettings,
): Promise<RequestRow> {
  const id = requestId(request.key);
  const found = (await findRequest(database, id)) ?? (await add());
  if (found.agentRunId !== runId)
    throw new Error(`Expected the request ${id} to be one of ${runId}, got ${found.agentRunId}.`);
  const isLate = !found.answeredBy && found.deadlineAt !== null && found.deadlineAt.getTime() <= Date.now();
  if (!isLate) return found;
  await keepRunAnswer(database, { runId, id, answer: found.defaultAnswer, by: 'deadline' });
  return (await findRequest(database, id)) ?? found;

  async function add(): Promise<RequestRow> {
    return database.transaction(async (query) => {
      const row = await addRequest(query, { agentRunId: runId, ...request }, settings);
      if (row) {
        const opened = { type: 'request.opened' as const, request: id, text: cutText(row.asked, 500) };
        await addEvents(query, { kind: 'run', id: runId }, [opened]);
      }
      const kept = row ?? (await findRequest(query, id)); // another attempt was faster
      if (!kept) throw new Error(`Expected the request ${id} to be stored, found none.`);
      return kept;
    });
  }
}

/** Stores the answer to a request of a run, unless it has one. */
export async function keepRunAnswer(
  database: Database,
  { runId, id, answer, reason, by }: AnswerSignal & { runId: string; by: Answerer },
): Promise<void> {
  const text = reason === undefined ? null : cutText(reason, maxReasonLength);
  const answeredAt = new Date();
  const isDue = by === 'deadline' ? lte(requests.deadlineAt, answeredAt) : undefined;
  await database.transaction(async (query) => {
    const kept = await query
      .update(requests)
      .set({ answer, answeredBy: by, reason: text, answeredAt })
      .where(and(eq(requests.id, id), eq(requests.agentRunId, runId), isNull(requests.answeredBy), isDue))
      .returning({ id: requests.id });
    if (!kept.length) return;
    const answered = { type: 'request.answered' as const, request: id, answer, by, ...(text && { reason: text }) };
    await addEvents(query, { kind: 'run', id: runId }, [answered]);
  });
}

/** Takes what a run asked out of the inbox: the run has ended. */
export async function withdrawRunRequests(query: Queryable, runId: string): Promise<void> {
  await query
    .update(requests)
    .set({ answeredBy: 'withdrawn', answeredAt: new Date() })
    .where(and(eq(requests.agentRunId, runId), isNull(requests.answeredBy)));
}
