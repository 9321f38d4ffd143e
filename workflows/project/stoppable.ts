import { CancellationScope, condition, TemporalFailure } from '@temporalio/workflow';
import { wasCancelled } from '../failures.ts';

export const stopped = Symbol('stopped');

/** Does work that is cancelled as soon as it must stop; returns its result, or `stopped`. */
export async function stoppable<Result>(
  hasToStop: () => boolean,
  work: () => Promise<Result>,
): Promise<Result | typeof stopped> {
  if (hasToStop()) return stopped;
  const scope = new CancellationScope();
  const watch = new CancellationScope();
  watch
    .run(() => condition(hasToStop))
    .then(
      () => scope.cancel(),
      () => {}, // the work is over
    );
  try {
    return await scope.run(work);
  } catch (error) {
    if (error instanceof TemporalFailure && wasCancelled(error, scope)) return stopped;
    throw error;
  } finally {
    watch.cancel();
  }
}
