import type { AnsweredRequest, Answerer, AnswerSignal } from '../../domain/permissions/request.ts';
import type { Database } from '../connection/database.ts';
import { changeChecks, changeFeature, readFeatures, settleFeatures } from '../features/features.ts';
import { inProject, type ProjectTransaction } from '../project/project-transaction.ts';
import { findSession } from '../project/sessions.ts';
import { findRequest, keepAnswer, type RequestRow } from './requests.ts';

/**
 * Stores the answer to a request of a project, unless it has one, and has the feature that waits for it attempted again. Null if the project has no such
 * request.
 */
export async function answerRequest(
  database: Database,
  { projectId, ...answer }: AnswerSignal & { projectId: string; by: Answerer },
): Promise<AnsweredRequest | null> {
  return inProject(database, projectId, async (transaction) => {
    const isFirst = await keepAnswer(transaction, answer);
    const request = await findRequest(transaction.query, answer.id);
    if (!request || request.projectId !== projectId) return null;
    const ofFeature = request.kind === 'call' || request.kind === 'feature';
    const staysBlocked = !ofFeature || (request.kind === 'feature' && request.answer === 'no');
    if (isFirst && !staysBlocked) await attemptAgain(transaction, request);
    return { id: request.id, kind: request.kind, answer: request.answer };
  });
}

async function attemptAgain(transaction: ProjectTransaction, request: RequestRow): Promise<void> {
  const { query, project } = transaction;
  const feature = (await readFeatures(query, project.id)).find((one) => one.name === request.feature);
  if (feature?.status !== 'BLOCKED') return; // a resume or a revert came first
  const session = request.sessionId ? await findSession(query, request.sessionId) : undefined;
  if (request.kind === 'feature' && request.answer === 'yes' && session?.requestedChange) {
    const { allowed = [] } = feature.verification;
    const verification = { ...feature.verification, allowed: [...new Set([...allowed, session.requestedChange.path])] };
    await changeChecks(transaction, feature.name, verification);
  }
  const change = { status: 'FAILING', attempts: 0, reason: 'A person answered.', lesson: lessonOf(request) } as const;
  await changeFeature(transaction, feature, { ...change, sessionId: request.sessionId ?? undefined });
  await settleFeatures(transaction);
}

/** What the next attempt reads. */
function lessonOf({ kind, answer, items, reason }: RequestRow): string | undefined {
  const said = reason ? `A person says: ${reason}` : '';
  if (kind !== 'call') return said || undefined;
  return `A person ${answer === 'yes' ? 'allowed' : 'refused'} ${items.join(', ')}. ${said}`.trim();
}
