import { join } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { withLock } from './home-lock.ts';
import { prepareHome } from './prepare-home.ts';
import type { Progress, Reporter } from './reporter.ts';

export interface SetupContext {
  configuration: Configuration;
  /** That of the started process: PATH and the like. */
  environment: Record<string, string | undefined>;
  reporter: Reporter;
  signal: AbortSignal;
  /** Retries what was recently unavailable, as `longhaul setup` does. */
  afresh?: boolean;
}

/** What a step found or made: the value for later steps, and a few words for a person. */
export interface SetupOutcome<Result> {
  result: Result;
  what: string;
}

/** A named unit of set-up that may be repeated, and interrupted, at any time. */
export interface SetupStep<Result> {
  name: string;
  /** Looks without changing anything; undefined if `run` is needed. */
  check(context: SetupContext): Promise<SetupOutcome<Result> | undefined>;
  /** Makes what is missing; runs in one process at a time. */
  run(context: SetupContext, progress: Progress): Promise<SetupOutcome<Result>>;
}

/** Runs a step unless its check finds the work done; waits for another process that performs a step of the same home. */
export async function performStep<Result>(step: SetupStep<Result>, context: SetupContext): Promise<Result> {
  context.signal.throwIfAborted();
  const progress = context.reporter.begin(step.name, 'checking');
  try {
    const found = await step.check(context);
    if (found !== undefined) {
      progress.done(found.what, { alreadyThere: true });
      return found.result;
    }
    const onWait = ({ pid }: { pid: number }) => progress.update(`waiting for another set-up (process ${pid})`);
    prepareHome(context.configuration.home);
    const lock = join(context.configuration.home, 'setup.lock');
    const outcome = await withLock(lock, { signal: context.signal, onWait }, async () => {
      return (await step.check(context)) ?? (await step.run(context, progress));
    });
    progress.done(outcome.what);
    return outcome.result;
  } catch (error) {
    progress.fail(context.signal.aborted ? 'interrupted' : 'failed');
    throw error;
  }
}
