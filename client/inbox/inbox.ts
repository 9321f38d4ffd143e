import { z } from 'zod';
import { findProject } from '../../db/project/projects.ts';
import { answerChatRequest, readInbox, readRequest } from '../../db/requests/requests.ts';
import { describeMisfit } from '../../domain/describe-issue.ts';
import type { InboxRequest } from '../../domain/permissions/inbox-request.ts';
import { type AnswerSignal, requestAnswers } from '../../domain/permissions/request.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError } from '../errors.ts';
import { poll } from '../events/poll.ts';
import { createProjectWorkflow } from '../project/project-workflow.ts';
import { answerRunRequest } from './answer-run-request.ts';

/** What waits for a person. */
export interface Inbox {
  /** Oldest first; of one project, by its id, or of all. */
  list(projectId?: string): Promise<InboxRequest[]>;
  /**
   * Answers a request. Resolves once the answer is stored and, unless it is no, the project's status names the request no more; or after 10 s, in which
   * case it counts as soon as a worker is available.
   * @throws {DatabaseError} `UnknownRequest`
   * @throws {ClientError} `InvalidInput` for `edit` without a reason.
   * @throws {ClientError} `RequestRefused` if it was answered already, or withdrawn since what it asked for no longer exists.
   * @throws {ClientError} `ProjectEnded`
   */
  answer(answer: AnswerSignal): Promise<InboxRequest>;
}

const answerSchema = z.strictObject({
  id: z.string().min(1, { error: 'expected the id of a request' }),
  answer: z.enum(requestAnswers),
  reason: z.string().optional(),
});

/** Milliseconds. */
const storeTimeout = 10_000;

export function createInbox(deps: { database: DatabaseAccess; temporal: TemporalAccess; taskQueue: string }): Inbox {
  const read = (id: string) => deps.database.use((query) => readRequest(query, id));

  /** The request once it was answered since it was read. */
  async function readAnswered({ id, answeredAt }: InboxRequest): Promise<InboxRequest | undefined> {
    const now = await read(id);
    return now.answeredBy && now.answeredAt?.getTime() !== answeredAt?.getTime() ? now : undefined;
  }

  return {
    list: (projectId) => deps.database.use((query) => readInbox(query, projectId)),
    async answer(given) {
      const misfit = describeMisfit(answerSchema, given);
      if (misfit !== undefined) throw new ClientError('InvalidInput', `The request cannot be answered:\n${misfit}`);
      const { id: reference, answer, reason } = given;
      const request = await read(reference);
      const { id } = request;
      const mayAllowAfterAll =
        request.kind === 'spending' && answer === 'yes' && request.answer && request.answer !== 'yes';
      if (request.answeredBy && !mayAllowAfterAll) throw new ClientError('RequestRefused', describeAnswered(request));
      if (answer === 'edit' && !reason?.trim())
        throw new ClientError('InvalidInput', 'Expected --reason "<text>" with edit: what should be changed.');
      if (request.agentRunId) {
        await answerRunRequest(deps.temporal, request.agentRunId, { id, answer, ...(reason && { reason }) });
        const answered = await poll(() => readAnswered(request), { signal: AbortSignal.timeout(storeTimeout) });
        return answered ?? request;
      }
      if (!request.projectId) {
        await deps.database.use((query) => answerChatRequest(query, { id, answer, ...(reason && { reason }) }));
        return read(id);
      }
      const workflow = createProjectWorkflow(deps.temporal, deps.taskQueue, request.projectId);
      await workflow.signal('answerRequest', { id, answer, ...(reason && { reason }) });
      const stored = () => readAnswered(request);
      const { projectId } = request;
      const isShown = async () => {
        const project = await deps.database.use((query) => findProject(query, projectId));
        return project?.status !== 'WAITING' || !project.statusReason?.includes(id) || undefined;
      };
      const signal = AbortSignal.timeout(storeTimeout);
      const answered = await poll(stored, { signal });
      if (answered && answer !== 'no') await poll(isShown, { signal });
      return answered ?? request;
    },
  };
}

function describeAnswered({ id, answer, answeredBy, answeredAt }: InboxRequest): string {
  if (answeredBy === 'withdrawn') return `The request ${id} was withdrawn: what it asked for no longer exists.`;
  return `The request ${id} was answered ${answer} by ${answeredBy === 'deadline' ? 'its deadline' : 'a person'} at ${answeredAt?.toISOString()}.`;
}
