import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { measureChat } from './chat.ts';
import { measureCommandLine } from './command-line-time.ts';
import { measureFirstDelta } from './first-delta.ts';
import { measureGrowingContext } from './growing-context.ts';
import { measureLongRun } from './long-run.ts';
import type { Measurement } from './measurement.ts';
import { measureMemory } from './memory.ts';
import { renderTable } from './render-table.ts';
import { measureSandbox } from './sandbox-time.ts';
import { measureTurnTime } from './turn-time.ts';

const interruption = new AbortController();
setMaxListeners(0, interruption.signal); // every call of the Temporal client listens
process.once('SIGINT', () => interruption.abort(new Error('interrupted')));
process.once('SIGTERM', () => interruption.abort(new Error('interrupted')));

// npm run bench -- [names]: measures, one after the other, and prints one table. docs/measure.md says what each row is.
const benchmarks: Record<string, (stack: () => Promise<BenchStack>) => Promise<Measurement[]>> = {
  turn: async () => measureTurnTime(await unreadingStack()),
  context: async () => measureGrowingContext(await unreadingStack()),
  long: async (stack) => measureLongRun(await stack()),
  memory: () => measureMemory(process.env, options, interruption.signal),
  sandbox: () => measureSandbox(process.env, interruption.signal),
  stream: async (stack) => measureFirstDelta(await stack()),
  chat: async (stack) => measureChat(await stack(), process.env, options),
  cli: async (stack) => measureCommandLine(await stack()),
};

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, rows: { type: 'string' }, turns: { type: 'string' } },
});
const chosen = positionals.length ? positionals : Object.keys(benchmarks);
let starting: Promise<BenchStack> | undefined;
let startingUnreading: Promise<BenchStack> | undefined;

function stack(): Promise<BenchStack> {
  starting ??= startBenchStack(process.env, interruption.signal);
  return starting;
}

/** Which are measured on `unreadingStack`. */
const onUnreading = ['turn', 'context'];

/** Of the model's side it has as little as can be on the processors of the system that is measured. */
function unreadingStack(): Promise<BenchStack> {
  startingUnreading ??= startBenchStack(process.env, interruption.signal, { unreading: true });
  return startingUnreading;
}

try {
  const unknown = chosen.filter((name) => !(name in benchmarks));
  if (unknown.length) throw new Error(`Expected names out of ${Object.keys(benchmarks)}, got ${unknown}.`);
  const measurements: Measurement[] = [];
  for (const [index, name] of chosen.entries()) {
    console.log(`  measuring: ${name}`);
    measurements.push(...((await benchmarks[name]?.(stack)) ?? []));
    // The others are not to be measured beside a second stack.
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
  // One that failed to start has stopped itself, and why was printed above.
  for (const one of [starting, startingUnreading]) await (await one?.catch(() => undefined))?.stop();
}
