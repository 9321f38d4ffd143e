import type { Configuration } from '../../config/configuration.ts';
import type { Reporter } from '../../setup/reporter.ts';
import { readStack } from '../../setup/stack/state/stack-state.ts';
import { up } from '../../setup/stack/up.ts';
import type { CommandContext } from '../program/command-context.ts';
import { InterruptedError } from '../program/interrupt.ts';
import { noteDifferences, readWorker } from '../settings/read-worker.ts';

/**
 * Starts the stack and leaves it running, or joins the one that runs.
 * @throws {InterruptedError} at Ctrl-C before it is ready, once what was started is stopped.
 */
export async function upDetached(
  context: CommandContext,
  configuration: Configuration,
  reporter: Reporter,
): Promise<void> {
  const { environment } = context;
  const { interrupted } = await up({ configuration, environment, reporter, detach: true });
  if (!interrupted) {
    const worker = await readWorker(context, configuration, { ask: false });
    return noteDifferences(context, worker?.differences ?? []);
  }
  const { supervisor } = await readStack(configuration.home);
  throw new InterruptedError(
    `Interrupted; the stack ${supervisor === null ? 'is stopped' : 'of another command keeps running'}.`,
  );
}
