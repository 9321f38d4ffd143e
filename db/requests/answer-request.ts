import type { AnsweredRequest, Answerer, AnswerSignal } from '../../domain/permissions/request.ts';
import type { Database } from '../connection/database.ts';
import { changeChecks, changeFeature, readFeatures, settleFeatures } from '../project/features.ts';
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
    if (isFirst && request.kind === 'feature' && request.answer !== 'no') await attemptAgain(transaction, request);
    return { id: request.id, kind: request.kind, answer: request.answer };
  });
}

async function attemptAgain(transaction: ProjectTransaction, { feature: name, sessionId, answer, reason }: RequestRow) {
  const { query, project } = transaction;
  const feature = (await readFeatures(query, project.id)).find((one) => one.name === name);
  if (!feature || feature.status !== 'BLOCKED') return; // a resume or a revert came first
  const change = sessionId ? (await findSession(query, sessionId))?.requestedChange : null;
  if (change && answer === 'yes') {
    const { allowed = [] } = feature.verification;
    const verification = { ...feature.verification, allowed: [...new Set([...allowed, change.path])] };
    await changeChecks(transaction, feature.name, verification);
  }
  const lesson = reason ? `A person says: ${reason}` : (feature.lesson ?? undefined);
  await changeFeature(transaction, feature, { status: 'FAILING', attempts: 0, reason: 'A person answered.', lesson });
  await settleFeatures(transaction);
}
