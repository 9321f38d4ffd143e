import { loadPrompts } from '../../agents/load-prompts.ts';
import { commandName } from '../../config/command-name.ts';
import type { Configuration } from '../../config/configuration.ts';
import { prepareServers } from '../cluster/prepare-servers.ts';
import type { Reporter } from '../reporter.ts';
import { runSetup } from '../run-setup.ts';
import { isSetupError } from '../setup-error.ts';
import { detachStack } from './detach-stack.ts';
import { joinStack } from './join-stack.ts';
import { listenForStop } from './listen-for-stop.ts';
import { createStackPrinter } from './print-stack.ts';
import { startStack } from './start-stack.ts';
import type { Stack } from './supervisor/supervise.ts';

export interface UpOptions {
  configuration: Configuration;
  environment: Record<string, string | undefined>;
  reporter: Reporter;
  /** Leaves the stack to its own process once it is ready. */
  detach?: boolean;
  /** Whether it follows a stack that another process runs; otherwise it ends beside one. */
  follow?: boolean;
}

/**
 * `longhaul up`: sets up, starts the stack and supervises it until Ctrl-C, SIGTERM or the end of the terminal, or joins the stack that already runs.
 * Resolves when it is over, and says whether that was so early because of such a signal; rejects if a service was given up.
 */
export async function up(options: UpOptions): Promise<{ interrupted: boolean }> {
  const stop = listenForStop();
  try {
    await untilStopped(options, stop);
  } catch (error) {
    if (!stop.signal.aborted) throw error; // otherwise our own stopping threw it
  } finally {
    stop.release();
  }
  return { interrupted: stop.signal.aborted };
}

async function untilStopped(options: UpOptions, stop: ReturnType<typeof listenForStop>): Promise<void> {
  const { configuration, environment, reporter } = options;
  const { home } = configuration;
  const printer = createStackPrinter(reporter);
  const { onEvent } = printer;
  const { signal } = stop;
  const follows = !options.detach && options.follow !== false;
  const follow = async (): Promise<boolean> => {
    const joined = await joinStack({ home, onEvent, signal });
    if (joined === undefined) return false;
    printer.addresses(joined.addresses);
    reporter.note(
      follows
        ? '\n  The stack already runs. This command follows it; Ctrl-C leaves it running.'
        : `\n  The stack already runs. ${commandName(environment)} down stops it.`,
    );
    if (follows) await joined.follow();
    return true;
  };
  if (await follow()) return;
  loadPrompts(configuration.agents.promptsFolder); // a bad prompt is reported here, not in a worker's log
  const setup = await runSetup({ configuration, environment, reporter, signal });
  await prepareServers({ configuration, environment, reporter });
  if (options.detach) {
    const { pid, addresses } = await detachStack({ home, environment, onEvent, signal });
    printer.addresses(addresses);
    reporter.note(`\n  The stack runs in the background, process ${pid}. ${commandName(environment)} down stops it.`);
    return;
  }
  let stack: Stack;
  try {
    stack = await startStack({ configuration, environment, setup, onEvent, signal });
  } catch (error) {
    if (isSetupError(error, 'StackRunning') && (await follow())) return;
    throw error;
  }
  stop.onSecondSignal(() => stack.kill());
  printer.addresses(stack.addresses);
  reporter.note('\n  Ctrl-C stops it.');
  await stack.ended;
}
