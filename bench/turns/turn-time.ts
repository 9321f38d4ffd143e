import { compare, type Measurement, median, milliseconds } from '../measurement.ts';
import type { BenchStack } from '../stack/bench-stack.ts';
import { bareTaskQueue, startBareWorker } from './bare-worker.ts';
import type { bareWorkflow } from './bare-workflow.ts';
import { runAgent } from './measured-run.ts';
import { timeRawExchanges } from './raw-exchange.ts';
import { readTurns } from './turn-windows.ts';

const rounds = 8;
const turnsPerRound = 25;

/** Alternates Longhaul's loop with each tool and a bare loop; the first round is a warm-up and does not count. */
export async function measureTurnTime(stack: BenchStack): Promise<Measurement[]> {
  const stopBareWorker = await startBareWorker(stack.temporal);
  const notes: number[] = [];
  const searches: number[] = [];
  const bare: number[] = [];
  const exchanges: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const noting = await runAgent(stack, `notes-${round}`, 'log_progress', turnsPerRound);
      const searching = await runAgent(stack, `searches-${round}`, 'search_memory', turnsPerRound);
      const bareId = await runBare(stack, round);
      if (round === 0) continue;
      notes.push(...(await timesOf(stack, noting, 'callModel')));
      searches.push(...(await timesOf(stack, searching, 'callModel')));
      exchanges.push(...(await timeRawExchanges(stack, noting, 'log_progress')));
      bare.push(...(await timesOf(stack, bareId, 'firstOfTurn')));
    }
  } finally {
    await stopBareWorker();
  }
  const against = 'against two activities that do nothing';
  const bareTurn = median(bare);
  const exchange = median(exchanges);
  return [
    compare(`turn of a model call and log_progress ${against}`, median(notes), bareTurn, { most: 2 }),
    {
      what: 'what a turn with log_progress adds to the bare HTTP exchange of its request',
      ours: milliseconds(median(notes) - exchange),
      bare: milliseconds(exchange),
    },
    // No goal: the extra time is the LanceDB search, which is the tool's own work.
    compare(`turn of a model call and search_memory ${against}`, median(searches), bareTurn),
  ];
}

async function runBare({ client, signal }: BenchStack, round: number): Promise<string> {
  const workflowId = `bare-${round}`;
  await client.withAbortSignal(signal, () =>
    client.workflow.execute<typeof bareWorkflow>('bareWorkflow', {
      workflowId,
      taskQueue: bareTaskQueue,
      args: [{ turns: turnsPerRound }],
    }),
  );
  return workflowId;
}

async function timesOf({ client }: BenchStack, workflowId: string, firstActivity: string): Promise<number[]> {
  const turns = await readTurns(client, workflowId, firstActivity);
  return turns.flatMap((turn) => turn.milliseconds ?? []);
}
