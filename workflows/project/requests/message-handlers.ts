import { condition, currentUpdateInfo, log, setHandler, uuid4 } from '@temporalio/workflow';
import type { SessionRequest } from '../../../domain/project/messages.ts';
import { database, git } from '../../activities.ts';
import { failure, unwrapFailure } from '../../failures.ts';
import type { ProjectState } from '../project-state.ts';
import {
  abandonSignal,
  answerRequestSignal,
  pauseSignal,
  resumeSignal,
  revertUpdate,
  runSessionUpdate,
  setBudgetUpdate,
  statusQuery,
  steerUpdate,
} from './messages.ts';
import type { Pending } from './pending.ts';
import { isAnswerSignal, validateBudget, validateRevert, validateSession, validateSteer } from './validate-requests.ts';

/** Registers a project's signals, updates and query. They only change its state; the project's loop acts on that. */
export function handleMessages(state: ProjectState): void {
  const { projectId } = state;
  setHandler(pauseSignal, (request) => state.pause(request));
  setHandler(resumeSignal, () => state.resume());
  setHandler(answerRequestSignal, (answer) => {
    if (isAnswerSignal(answer)) state.requests.addAnswer({ ...answer, by: 'person' });
    else log.warn('Expected { "id": "<request>", "answer": "yes", "no" or "edit" }.', { answer });
  });
  setHandler(abandonSignal, (request) => state.abandon(request?.reason));
  setHandler(
    revertUpdate,
    async (request) => {
      // A revert that will be refused must not stop anything.
      await unwrapFailure(git.checkRevert({ projectId, request }));
      return answerTo(state.requestRevert(request, updateId()));
    },
    { validator: validateRevert },
  );
  setHandler(
    runSessionUpdate,
    (request?: SessionRequest) => answerTo(state.requestSession(request ?? {}, updateId())),
    {
      validator(request?: SessionRequest) {
        validateSession(request);
        const refusal = state.whyNoSession();
        if (refusal) throw failure('InvalidInput', refusal);
      },
    },
  );
  setHandler(
    setBudgetUpdate,
    async (request) => {
      const budgets = await unwrapFailure(database.setBudget({ projectId, ...request }));
      const released = state.budgetsSet(budgets);
      if (released) await condition(() => state.isShown); // the caller then reads that the project is active again
      return budgets;
    },
    { validator: validateBudget },
  );
  setHandler(
    steerUpdate,
    async ({ message, run, id = uuid4() }) => ({
      id,
      ...(await unwrapFailure(database.keepMessage({ projectId, id, message, ...(run && { run }) }))),
    }),
    { validator: validateSteer },
  );
  setHandler(statusQuery, () => state.answer);
}

function updateId(): string {
  return currentUpdateInfo()?.id ?? '';
}

async function answerTo<Request, Answer>(pending: Pending<Request, Answer>): Promise<Answer> {
  await condition(() => pending.outcome !== undefined);
  const { outcome } = pending;
  if (outcome && 'answer' in outcome) return outcome.answer;
  throw outcome?.failure;
}
