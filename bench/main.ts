import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { measureChat } from './chat/chat.ts';
import { measureFirstDelta } from './chat/first-delta.ts';
import { measureCommandLine } from './command-line-time.ts';
import { measureIsolation } from './isolation.ts';
import { type Measurement, renderTable } from './measurement.ts';
import { measureMemory } from './memory/memory.ts';
import { measureRuns } from './runs.ts';
import { measureSandbox } from './sandbox-time.ts';
import { type BenchStack, startBenchStack } from './stack/bench-stack.ts';
import { measureAppend } from './stores/append.ts';
import { measureGrowingContext } from './turns/growing-context.ts';
import { measureLongRun } from './turns/long-run.ts';
import { measureTurnTime } from './turns/turn-time.ts';
import { measureVerification } from './verification/verification.ts';

const interruption = new AbortController();
setMaxListeners(0, interruption.signal); // every call of the Temporal client adds a listener
process.once('SIGINT', () => interruption.abort(new Error('interrupted')));
process.once('SIGTERM', () => interruption.abort(new Error('interrupted')));

// npm run bench -- [names]: runs the benchmarks one after the other and prints one table. docs/measure.md explains each row.
const benchmarks: Record<string, (stack: () => Promise<BenchStack>) => Promise<Measurement[]>> = {
  turn: async () => measureTurnTime(await unreadingStack()),
  context: async () => measureGrowingContext(await unreadingStack()),
  long: async (stack) => measureLongRun(await stack()),
  memory: () => measureMemory(process.env, options, interruption.signal),
  stores: async (stack) => measureAppend(await stack()),
  sandbox: () => measureSandbox(process.env, interruption.signal),
  isolation: () => measureIsolation(process.env, interruption.signal),
  verification: () => measureVerification(process.env, options, interruption.signal),
  stream: async (stack) => measureFirstDelta(await stack()),
  chat: async (stack) => measureChat(await stack(), process.env, options),
  runs: async (stack) => measureRuns(await stack()),
  cli: async (stack) => measureCommandLine(await stack()),
};

const { positionals, values: options } = readParameters();
const chosen = positionals.length ? positionals : Object.keys(benchmarks);
let starting: Promise<BenchStack> | undefined;
let startingUnreading: Promise<BenchStack> | undefined;

function readParameters() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        rows: { type: 'string' },
        turns: { type: 'string' },
        corpus: { type: 'string' },
        exercises: { type: 'string' },
      },
    });
  } catch (error) {
    const names = Object.keys(benchmarks).join(' ');
    console.error(`${(error as Error).message}\nUsage: npm run bench -- [${names}]; docs/measure.md explains each.`);
    process.exit(2);
  }
}

function stack(): Promise<BenchStack> {
  starting ??= startBenchStack(process.env, interruption.signal);
  return starting;
}

/** The benchmarks that use `unreadingStack`. */
const onUnreading = ['turn', 'context'];

/** A stack whose model takes as little CPU time as possible from the system being measured. */
function unreadingStack(): Promise<BenchStack> {
  startingUnreading ??= startBenchStack(process.env, interruption.signal, { unreading: true });
  return startingUnreading;
}

try {
  const unknown = chosen.filter((name) => !(name in benchmarks));
  if (unknown.length)
    throw new Error(`Expected names from ${Object.keys(benchmarks).join(', ')}, got ${unknown.join(', ')}.`);
  const measurements: Measurement[] = [];
  for (const [index, name] of chosen.entries()) {
    console.log(`  measuring: ${name}`);
    measurements.push(...((await benchmarks[name]?.(stack)) ?? []));
    // The other benchmarks must not run beside a second stack.
    if (!chosen.slice(index + 1).some((later) => onUnreading.includes(later))) {
      await (await startingUnreading)?.stop();
      startingUnreading = undefined;
    }
  }
  console.log(`\n${renderTable(measurements).join('\n')}`);
} catch (error) {
  console.error(interruption.signal.aborted ? 'interrupted' : error);
  process.exitCode = 1;
} finally {
  // A stack that failed to start has cleaned up after itself, and the error was printed above.
  for (const one of [starting, startingUnreading]) await (await one?.catch(() => undefined))?.stop();
}
