import { defineAgent } from '../agents/runtime/definition/define-agent.ts';
import { readConfiguration } from '../client/index.ts';
import { createLonghaul } from '../runtime/create-longhaul.ts';
import { compare, type Measurement, median } from './measurement.ts';
import type { BenchStack } from './stack/bench-stack.ts';
import { bareTaskQueue, startBareWorker } from './turns/bare-worker.ts';
import type { bareStepWorkflow } from './turns/bare-workflow.ts';

const rounds = 40;
const warmUp = 5;
const concurrent = 1_000;
const emitted = 10_000;
const minEventsPerSecond = 5_000;

const idle = defineAgent({ key: 'idle', run: async () => ({ finalOutput: 'done' }) });

/** Emits many events at once, as a chatty agent does. */
const chatty = defineAgent({
  key: 'chatty',
  async run({ emit }) {
    const batch = 100;
    for (let from = 0; from < emitted; from += batch) {
      await Promise.all(Array.from({ length: batch }, (_, index) => emit('bench.event', { number: from + index })));
    }
    return { finalOutput: emitted };
  },
});

/** Runs of users' own agents that take no time themselves. */
export async function measureRuns(stack: BenchStack): Promise<Measurement[]> {
  const environment = { ...process.env, LONGHAUL_HOME: stack.home };
  const configuration = readConfiguration(environment);
  const longhaul = await createLonghaul({ agents: [idle, chatty], environment, configuration });
  const stopBare = await startBareWorker(stack.temporal);
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds + warmUp; round += 1) {
      const run = await timed(() => longhaul.run('idle', 'go'));
      const step = await timed(() =>
        stack.client.workflow.execute<typeof bareStepWorkflow>('bareStepWorkflow', {
          workflowId: `bare-step-${round}`,
          taskQueue: bareTaskQueue,
        }),
      );
      if (round < warmUp) continue;
      ours.push(run);
      bare.push(step);
    }
    const before = process.memoryUsage().rss;
    const many = await timed(() => Promise.all(Array.from({ length: concurrent }, () => longhaul.run('idle', 'go'))));
    const grown = process.memoryUsage().rss - before;
    const run = await longhaul.start('chatty', 'go');
    await run.result();
    let seen = 0;
    const watching = await timed(async () => {
      for await (const event of run.events({ live: false })) if (event.type.startsWith('bench.')) seen += 1;
    });
    if (seen !== emitted) throw new Error(`Expected ${emitted} events, saw ${seen}.`);
    const perSecond = (seen / watching) * 1000;
    return [
      compare('run of a coded agent without model, against a workflow with one activity', median(ours), median(bare), {
        most: 2,
      }),
      {
        what: `${concurrent} runs at once on one process, to the end`,
        ours: `${(many / 1000).toFixed(1)} s, ${Math.round(grown / 1e6)} MB more`,
      },
      {
        what: 'events to one watcher',
        ours: `${Math.round(perSecond)} per second`,
        goal: { text: `at least ${minEventsPerSecond}`, reached: perSecond >= minEventsPerSecond },
      },
    ];
  } finally {
    await stopBare();
    await longhaul.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
