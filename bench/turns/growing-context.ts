import { setTimeout as sleep } from 'node:timers/promises';
import { findRun } from '../../db/transcript/transcript.ts';
import { readLatestUsage } from '../../db/usage/read-usage.ts';
import { readStack } from '../../setup/stack/state/stack-state.ts';
import { compare, type Measurement, median } from '../measurement.ts';
import type { BenchStack } from '../stack/bench-stack.ts';
import { runAgent } from './measured-run.ts';
import { timeRawExchanges } from './raw-exchange.ts';
import { readTurns } from './turn-windows.ts';

const turns = 1_000;
const tenth = turns / 10;
const warmUpTurns = 100;
const maxRatio = 1.2;
const sampleMs = 500;

/**
 * A thousand turns, each sending the whole of a conversation that grows to 200,000 tokens: the last tenth compared with the first, and with the first
 * turns of a new run right after it, as the machine may be faster or slower than half a minute before.
 */
export async function measureGrowingContext(stack: BenchStack): Promise<Measurement[]> {
  await runAgent(stack, 'context-warm-up', 'growing_context', warmUpTurns);
  const runId = `${stack.sessionId}-context`;
  const done = new AbortController();
  const [samples] = await Promise.all([
    sampleMemory(stack, runId, done.signal),
    runAgent(stack, 'context', 'growing_context', turns).finally(() => done.abort()),
  ]);
  const after = await runAgent(stack, 'context-after', 'growing_context', tenth);
  const [times, timesAfter] = [await timesOf(stack, runId), await timesOf(stack, after)];
  const raw = await timeRawExchanges(stack, runId, 'growing_context');
  const { tokens } = (await readLatestUsage(stack.connection.database, runId)) ?? { tokens: 0 };
  const grown = `1,000 turns, to ${Math.round(tokens / 1000)}k tokens`;
  const added = times.map((time, index) => (time === undefined ? undefined : time - (raw[index] ?? Number.NaN)));
  const memory = (first: number, last: number) =>
    median(samples.flatMap(({ turn, bytes }) => (turn > first && turn <= last ? [bytes] : [])));
  return [
    compareTenths(`${grown}: time per turn, last tenth against the first`, times),
    compare(
      `${grown}: time per turn, last tenth against the first ${tenth} turns of a new run right after`,
      medianOf(times.slice(-tenth)),
      medianOf(timesAfter),
    ),
    compareTenths(`${grown}: the bare HTTP exchange of its request`, raw, false),
    compareTenths(`${grown}: time that a turn adds to that`, added, false),
    compare(
      `${grown}: memory of the worker, last tenth against the first`,
      memory(turns - tenth, turns),
      memory(0, tenth),
      { most: maxRatio, unit: (bytes) => `${Math.round(bytes / 2 ** 20)} MiB` },
    ),
  ];
}

function compareTenths(what: string, values: Array<number | undefined>, isGoal = true): Measurement {
  const [first, last] = [medianOf(values.slice(0, tenth)), medianOf(values.slice(-tenth))];
  return compare(what, last, first, isGoal ? { most: maxRatio } : {});
}

function medianOf(values: Array<number | undefined>): number {
  return median(values.filter((value) => value !== undefined));
}

/** Milliseconds of each turn. */
async function timesOf({ client }: BenchStack, runId: string): Promise<Array<number | undefined>> {
  return (await readTurns(client, runId, 'callModel')).map((turn) => turn.milliseconds);
}

/** Samples the worker's resident bytes, with the turn that the run has reached, until the signal aborts. */
async function sampleMemory({ home, connection }: BenchStack, runId: string, signal: AbortSignal) {
  const samples: Array<{ turn: number; bytes: number }> = [];
  while (!signal.aborted) {
    const worker = (await readStack(home)).services.find(({ name }) => name === 'worker');
    if (!worker?.memoryBytes) throw new Error('Expected the memory of a running worker, found none.');
    const turn = (await findRun(connection.database, runId))?.turns ?? 0;
    samples.push({ turn, bytes: worker.memoryBytes });
    await sleep(sampleMs, undefined, { signal }).catch(() => undefined); // the signal ends the sampling
  }
  return samples;
}
