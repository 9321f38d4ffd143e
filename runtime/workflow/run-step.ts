import { RetryState } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  isCancellation,
  sleep,
} from '@temporalio/workflow';
import { isRetryable } from '../../agents/runtime/agent-error.ts';
import type { Step } from '../../agents/runtime/steps/step.ts';
import type { StepEvent } from './step-event.ts';

interface Given {
  state: object;
  results: Record<string, unknown>;
  idempotencyKey: string;
}

/** Runs one step of a workflow with its retries. */
export async function runStep(
  step: Step,
  given: Given,
  onEvent: (event: StepEvent) => void,
): Promise<{ result: unknown; state: object }> {
  const { name, description } = step;
  const started = Date.now();
  onEvent({ type: 'step.started', step: name, ...(description && { description }) });
  for (let attempt = 1; ; attempt += 1) {
    const state = JSON.parse(JSON.stringify(given.state)) as object; // a workflow has no structuredClone
    try {
      const result = (await tryOnce(step, { ...given, state }, attempt)) ?? null;
      onEvent({ type: 'step.completed', step: name, durationMs: Date.now() - started });
      return { result, state };
    } catch (error) {
      if (isCancellation(error)) throw error;
      const reason = reasonOf(error);
      if (attempt > step.retries || !mayHelp(error)) {
        onEvent({ type: 'step.failed', step: name, attempt, reason });
        throw error;
      }
      const delayMs = step.retryDelayMs * step.backoff ** (attempt - 1);
      onEvent({ type: 'step.retrying', step: name, attempt: attempt + 1, delayMs, reason });
      await sleep(delayMs, { summary: `The step "${name}" is tried again` });
    }
  }
}

/** One attempt; at the step's timeout, what it waits for is cancelled. */
async function tryOnce({ name, run, timeoutMs }: Step, given: Given, attempt: number): Promise<unknown> {
  const outer = CancellationScope.current();
  const work = async () => {
    const abort = new AbortController();
    const cancelled = CancellationScope.current().cancelRequested.catch((reason: unknown) => {
      abort.abort(reason);
      throw reason;
    });
    const { state, results, idempotencyKey } = given;
    const context = { state: state as never, results, attempt, idempotencyKey, signal: abort.signal };
    return Promise.race([cancelled, Promise.resolve().then(() => run(context))]);
  };
  if (timeoutMs === undefined) return CancellationScope.cancellable(work);
  try {
    return await CancellationScope.withTimeout(timeoutMs, work);
  } catch (error) {
    if (!isCancellation(error) || outer.consideredCancelled) throw error;
    throw ApplicationFailure.create({
      message: `The step "${name}" took longer than its timeout of ${timeoutMs} ms.`,
      type: 'TimedOut',
    });
  }
}

/** Whether another attempt may succeed. */
function mayHelp(error: unknown): boolean {
  if (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure) {
    return error.retryState !== RetryState.NON_RETRYABLE_FAILURE;
  }
  return error instanceof ApplicationFailure ? !error.nonRetryable : isRetryable(error);
}

/** What the step itself threw, rather than Temporal's wrapper. */
function reasonOf(error: unknown): string {
  const wrapped = (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure) && error.cause;
  const { message } = (wrapped || error) as Partial<Error>;
  return (message ?? String(error)).slice(0, 300);
}
