import type { AgentContext } from '../agent-context.ts';
import { runtimeOf } from '../runtime-of.ts';
import { expectDifferentNames } from './expect-different-names.ts';
import { mergeStates } from './merge-states.ts';
import { runStep, type StepRun } from './run-step.ts';
import type { Step, StepItem, StepsOptions, StepsResult } from './step.ts';

/** Runs the steps of an agent in order: `steps(context).run([...])`. */
export function steps(context: AgentContext<never, never> | AgentContext) {
  return {
    run: <const Items extends readonly StepItem<State>[], State extends object = Record<string, unknown>>(
      items: Items,
      options: StepsOptions<State> = {},
    ): Promise<StepsResult<Items, State>> => runSteps(context, items, options),
  };
}

/**
 * Runs steps in order, each with its retries, and keeps each result, so that after a crash the finished ones are skipped.
 * @throws {AgentError} `DuplicateName`; the signal's reason; what a step threw at its last attempt.
 */
export async function runSteps<const Items extends readonly StepItem<State>[], State extends object>(
  context: AgentContext<never, never> | AgentContext,
  items: Items,
  { initialState, resume = true }: StepsOptions<State> = {},
): Promise<StepsResult<Items, State>> {
  const all = items.flatMap((item) => ('parallel' in item ? [...item.parallel] : [item]));
  expectDifferentNames(all);
  const runtime = runtimeOf(context);
  const { store, recorder } = runtime;
  const { signal } = context;
  const results: Record<string, unknown> = {};
  let state: object = structuredClone(initialState ?? {});
  let done = 0;
  const scope = recorder.within(resume ? 'steps' : `steps of try ${context.attempt}`);

  async function run(step: Step): Promise<StepRun> {
    const ran = await runStep({ step, state, results: { ...results }, recorder: scope, store, signal });
    done += 1;
    await store.append([{ type: 'progress.update', percent: Math.round((100 * done) / all.length), text: step.name }]);
    return ran;
  }

  runtime.stepsRunning += 1;
  try {
    for (const item of items) {
      signal.throwIfAborted();
      const group = 'parallel' in item ? item.parallel : [item];
      const before = state;
      const runs = await untilAllEnded(group.map(run));
      for (const [index, { result }] of runs.entries()) results[group[index]?.name ?? ''] = result;
      state = mergeStates(before, runs, group);
    }
  } finally {
    runtime.stepsRunning -= 1;
  }
  return { results, state } as StepsResult<Items, State>;
}

/** Waits for all, so that nothing goes on behind a failure; then throws the first failure. */
async function untilAllEnded<Result>(work: Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
