import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  sleep,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type AgentRunOutcome,
  type AgentRunProgress,
  type AgentRunRequest,
  cancelledRun,
  retryPause,
} from '../../domain/agent-run/run-request.ts';
import { database } from '../activities.ts';
import { closeRunSandbox } from '../agent/close-sandbox.ts';
import { createPauseGate } from '../agent/pause-gate.ts';
import { explain } from '../failures.ts';
import type { CallParts } from './execute-agent-call.ts';
import { hostActivities } from './host-activities.ts';
import { createInSandbox } from './in-sandbox.ts';
import { createOutsideWork, type OutsideWork } from './outside-work.ts';
import { runDeclaredAgent, startOfLoop } from './run-declared-agent.ts';
import { createRunNews } from './run-news.ts';

/** Runs a user's own agent: tries it, tries it again after a failure that another try may mend, and ends it in time. */
export async function agentRunWorkflow(request: AgentRunRequest): Promise<AgentRunOutcome> {
  const progress = request.progress ?? { attempt: 1, since: Date.now(), loop: startOfLoop() };
  const gate = createPauseGate({});
  const news = createRunNews(request.runId);
  const { runId } = request;
  const inSandbox = createInSandbox({ ...request, progress, gate, news });
  const outside = createOutsideWork(gate, inSandbox);
  const timed = new CancellationScope();
  let isLate = false;
  const stopTimer = startTimer(request, progress, () => {
    isLate = true;
    timed.cancel();
  });
  let outcome: AgentRunOutcome | 'yield';
  try {
    outcome = await timed.run(() => tryUntilDone(request, progress, { gate, news, inSandbox, outside }));
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error; // a bug leaves the workflow task failing until it is fixed
    outcome =
      isCancellation(error) || timed.consideredCancelled
        ? cancelledRun
        : { status: 'FAILED', reason: explain(error), retryable: false };
  } finally {
    stopTimer();
  }
  if (outcome === 'yield') await condition(allHandlersFinished);
  if (outcome === 'yield') return continueAsNew<typeof agentRunWorkflow>({ ...request, progress });
  // What an agent waits for may be cancelled before the agent itself learns of it, and fails it then.
  if (outcome.status === 'FAILED' && timed.consideredCancelled) outcome = cancelledRun;
  if (outcome.status === 'CANCELLED' && isLate) {
    outcome = { status: 'TIMED_OUT', reason: `It took longer than its timeout of ${request.timeoutMs} ms.` };
  }
  const ended = outcome;
  const isStored = request.kind === 'coded' && ended.status === 'SUCCEEDED'; // with its result
  if (!isStored) await CancellationScope.nonCancellable(() => database.endAgentRun({ runId, outcome: ended }));
  if (progress.sandbox) await closeRunSandbox(runId);
  return ended;
}

/** Calls back when the run has taken too long, until the returned function is called. */
function startTimer({ timeoutMs }: AgentRunRequest, { since }: AgentRunProgress, onLate: () => void): () => void {
  if (timeoutMs === undefined) return () => {};
  const timer = new CancellationScope();
  timer.run(() => sleep(Math.max(1, since + timeoutMs - Date.now()))).then(onLate, () => {}); // cancelled: the run was faster
  return () => timer.cancel();
}

/** What the tries of a run share. */
interface RunParts extends Omit<CallParts, 'queue'> {
  outside: OutsideWork;
}

async function tryUntilDone(
  request: AgentRunRequest,
  progress: AgentRunProgress,
  parts: RunParts,
): Promise<AgentRunOutcome | 'yield'> {
  for (; ; progress.attempt += 1) {
    setCurrentDetails(`**${request.agent}**, try ${progress.attempt} of at most ${request.maxRetries + 1}`);
    const outcome = await tryOnce(request, progress, parts);
    if (outcome === 'yield' || outcome.status !== 'FAILED') return outcome;
    if (!outcome.retryable || progress.attempt > request.maxRetries) return outcome;
    await sleep(retryPause(progress.attempt + 1, request.backoffMs), { summary: outcome.reason.slice(0, 200) });
    progress.loop.idleAnswers = 0;
  }
}

async function tryOnce(
  request: AgentRunRequest,
  { attempt, loop }: AgentRunProgress,
  { gate, news, inSandbox, outside }: RunParts,
): Promise<AgentRunOutcome | 'yield'> {
  const { runId, queue, kind } = request;
  if (kind === 'coded') {
    try {
      return await gate.step(() => hostActivities(queue).runCodedAgent({ runId, attempt }));
    } finally {
      await outside.end();
    }
  }
  const { submits, readOnly } = await gate.step(() => database.beginAgentRun({ runId, attempt }));
  const shouldYield = () => workflowInfo().continueAsNewSuggested;
  const end = await runDeclaredAgent(request, { submits, readOnly, gate, news, inSandbox, state: loop, shouldYield });
  return end.kind === 'yield' ? 'yield' : end.ending;
}
