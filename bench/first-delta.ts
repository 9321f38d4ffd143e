import type { BenchStack } from './bench-stack.ts';
import { runAgent } from './measured-run.ts';
import { type Measurement, median, milliseconds } from './measurement.ts';

const turns = 20;
/** Milliseconds before each piece of an answer. */
const slowness = 20;
/** Milliseconds after which the live view draws what it heard. */
const drawDelay = 40;
const most = 200;

/** From the first byte that the model's server sends to the first words at a watcher in another process than the worker. */
export async function measureFirstDelta(stack: BenchStack): Promise<Measurement[]> {
  const project = await stack.longhaul.project(stack.projectId);
  const heard = new Map<number, number>();
  const leaving = new AbortController();
  const watching = project.watchAnswers(
    (event) => {
      if (event.type === 'answer-delta' && !heard.has(event.turn)) heard.set(event.turn, Date.now());
    },
    { signal: leaving.signal },
  );
  stack.model.misbehave({ kind: 'slow', milliseconds: slowness }, { times: turns });
  const run = await runAgent(stack, 'streamed', 'log_progress', turns);
  stack.model.behave();
  leaving.abort();
  await watching;
  const times = stack.model.requests().flatMap(({ run: of, turn, answeredFrom }) => {
    const at = heard.get(turn);
    return of === run && answeredFrom && at !== undefined ? [at - Date.parse(answeredFrom)] : [];
  });
  if (times.length < turns)
    throw new Error(`Expected the first words of ${turns} turns, heard those of ${times.length}.`);
  const worst = Math.max(...times);
  return [
    {
      what: 'first words at a watcher after the first byte of the answer, drawing included: median, worst',
      ours: `${milliseconds(median(times) + drawDelay)}, ${milliseconds(worst + drawDelay)}`,
      goal: { text: `under ${most} ms`, reached: median(times) + drawDelay < most },
    },
  ];
}
