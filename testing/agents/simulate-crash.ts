import type { Operation } from '../../agents/runtime/record/run-store.ts';
import { AgentTestError } from './agent-test-error.ts';

/** `kind:name` of an operation, such as `tool:charge`, `model:generate`, `step:fetch` or `once:report`; or a number of operations. */
export type CrashPoint = `${'tool' | 'model' | 'step' | 'once'}:${string}` | number;

export interface CrashOptions {
  /** The process dies right after this was kept, or after that many operations were. */
  after?: CrashPoint;
  /** The process dies when this has taken effect, but before its result is kept: the worst moment. */
  during?: CrashPoint;
  /** Which of several of that name: 1, the first, if absent. */
  time?: number;
}

/** Where a run's process is to die in a test. */
export interface SimulatedCrash {
  readonly description: string;
  /** Whether the process dies at an operation that ends; called once for each. */
  isHere(operation: Pick<Operation, 'kind' | 'name'>): 'after' | 'during' | undefined;
}

/** A crash for `runAgentTest`: the attempt's process dies at that point, and another begins with nothing but what the store kept. */
export function simulateCrash({ after, during, time = 1 }: CrashOptions): SimulatedCrash {
  const point = after ?? during;
  if (point === undefined || (after !== undefined && during !== undefined)) {
    throw new AgentTestError('ExpectationFailed', 'Expected either `after` or `during` of a crash.');
  }
  const moment = after === undefined ? 'during' : 'after';
  let seen = 0;
  return {
    description: typeof point === 'number' ? `${moment} ${point} operations` : `${moment} ${point}, time ${time}`,
    isHere({ kind, name }) {
      if (typeof point === 'string' && point !== `${kind}:${name}`) return undefined;
      seen += 1;
      return seen === (typeof point === 'number' ? point : time) ? moment : undefined;
    },
  };
}
