import { ApplicationFailure, CancellationScope, uuid4 } from '@temporalio/workflow';
import { AgentError } from '../../agents/runtime/agent-error.ts';
import { expectDifferentNames } from '../../agents/runtime/steps/expect-different-names.ts';
import { mergeStates } from '../../agents/runtime/steps/merge-states.ts';
import type { Step, StepItem, StepsOptions, StepsResult } from '../../agents/runtime/steps/step.ts';
import { runStep } from './run-step.ts';
import type { StepEvent } from './step-event.ts';

export interface WorkflowStepsOptions<State extends object> extends Pick<StepsOptions<State>, 'initialState'> {
  /** Told what happens to each step and how far all are; such as to change what a query answers. */
  onEvent?(event: StepEvent): void;
}

/**
 * Runs steps of a workflow in order: each calls activities, agents or whatever a workflow may, with retries, a timeout and a state that a failed
 * attempt leaves as it was. The workflow's history is what remembers the finished ones.
 * @throws {ApplicationFailure} of the type `DuplicateName` or `InvalidValue`, which fails the workflow; what a step threw at its last attempt.
 */
export async function steps<
  const Items extends readonly StepItem<State>[],
  State extends object = Record<string, unknown>,
>(items: Items, options: WorkflowStepsOptions<State> = {}): Promise<StepsResult<Items, State>> {
  try {
    return await runAll(items, options);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    // Any error but a failure of Temporal would have the workflow's task tried again for ever.
    throw ApplicationFailure.nonRetryable(error.message, error.code);
  }
}

async function runAll<const Items extends readonly StepItem<State>[], State extends object>(
  items: Items,
  { initialState, onEvent = () => {} }: WorkflowStepsOptions<State>,
): Promise<StepsResult<Items, State>> {
  const all = items.flatMap((item) => ('parallel' in item ? [...item.parallel] : [item]));
  expectDifferentNames(all);
  const results: Record<string, unknown> = {};
  const id = uuid4();
  let state: object = initialState ?? {};
  let done = 0;

  async function run(step: Step): Promise<{ result: unknown; state: object }> {
    const idempotencyKey = `${id}/${step.name}`;
    const ran = await runStep(step, { state, results: { ...results }, idempotencyKey }, onEvent);
    done += 1;
    onEvent({ type: 'progress.update', percent: Math.round((100 * done) / all.length), text: step.name });
    return ran;
  }

  for (const item of items) {
    const group = 'parallel' in item ? item.parallel : [item];
    const before = state;
    const runs = await untilAllEnded(group.map((step) => () => run(step)));
    for (const [index, { result }] of runs.entries()) results[group[index]?.name ?? ''] = result;
    state = mergeStates(before, runs, group);
  }
  return { results, state } as StepsResult<Items, State>;
}

/** Does all at once; the first failure cancels the others, and is thrown when they have ended. */
async function untilAllEnded<Result>(work: Array<() => Promise<Result>>): Promise<Result[]> {
  let failed: { reason: unknown } | undefined;
  const results = await CancellationScope.cancellable(() => {
    const scope = CancellationScope.current();
    return Promise.all(
      work.map(async (one) => {
        try {
          return await one();
        } catch (reason) {
          failed ??= { reason };
          scope.cancel();
          return undefined as Result;
        }
      }),
    );
  });
  if (failed) throw failed.reason;
  return results;
}
