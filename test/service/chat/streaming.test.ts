import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { AnswerEvent, ProjectHandle } from '../../../client/index.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { call, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { scriptOf, startCase, untilCompleted } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

const words = 'First I look at what is there, then I write the note, and then I look at it again. '.repeat(40);
const note = { features: [{ name: 'note', work: [{ ...call('list_files'), text: words }, writes('note')] }] };

let stack: ServiceStack;
let project: ProjectHandle;
const leaving = new AbortController();
const watching: Array<Promise<void>> = [];

beforeAll(async () => {
  stack = await startServiceStack({ worker: 'process', script: scriptOf({ note }) });
});
afterAll(async () => {
  leaving.abort();
  await Promise.all(watching);
  await stack?.stop();
});
afterEach(() => stack.model.behave());

/** Collects the answer events of the first working turn. */
function watch(): AnswerEvent[] {
  const events: AnswerEvent[] = [];
  const listen = (event: AnswerEvent) => {
    if ('run' in event && event.run === `${project.id}-s1-work` && event.turn === 1) events.push(event);
  };
  watching.push(project.watchAnswers(listen, { signal: leaving.signal }));
  return events;
}

/** The text a screen would show: that of the latest attempt. */
function textOf(events: AnswerEvent[]): string {
  return events
    .slice(events.findLastIndex(({ type }) => type === 'answer.asked'))
    .map((event) => (event.type === 'answer.delta' && event.delta.type === 'text' ? event.delta.text : ''))
    .join('');
}

/** Waits until Temporal has a heartbeat with the current call, which the next attempt then learns of. */
async function untilBeaten(): Promise<void> {
  const { addresses } = stack;
  const connection = await Connection.connect({ address: addresses.temporal });
  const work = new Client({ connection }).workflow.getHandle(`${project.id}-s1-work`);
  await waitFor('the heart to beat', async () => {
    const { raw } = await work.describe();
    return raw.pendingActivities?.some(({ heartbeatDetails }) => heartbeatDetails?.payloads?.length) ?? false;
  });
  await connection.close();
}

const inOrder = createTestsInOrder();

inOrder('a stopped model call ends', async () => {
  stack.model.misbehave({ kind: 'hang' }, { match: { role: 'code', turn: 1 } });
  ({ project } = await startCase(stack, 'note', note));
  const requests = () => stack.model.requests().filter(({ run }) => run === `${project.id}-s1-work`);
  for (const index of [0, 1]) {
    if (index > 0) {
      stack.model.misbehave({ kind: 'slow', milliseconds: 500 }, { match: { role: 'code', turn: 1 } });
      await project.resume();
    }
    await waitFor('the model to be asked', () => requests().length > index);
    await sleep(1_000); // lets the call get under way
    const before = performance.now();
    await project.pause({ now: true });
    await waitFor('the request to be broken off', () => requests()[index]?.outcome === 'left');
    // By design it takes less than a second; the margin is for a busy machine. Heartbeats that the worker throttles would come only after 8 s.
    expect(performance.now() - before).toBeLessThan(7_000);
  }
});

inOrder(
  'words are streamed, also to a late watcher, and a worker killed between them leaves no half text on the screen',
  async () => {
    // Both this call and its repetition.
    stack.model.misbehave({ kind: 'slow', milliseconds: 100 }, { match: { role: 'code', turn: 1 }, times: 2 });
    const events = watch();
    await project.resume();
    await waitFor('the first words', () => textOf(events).length > 0);
    await untilBeaten();
    await stack.restartWorker();
    await waitFor('the first words again', () =>
      events.some((event) => event.type === 'answer.asked' && event.attempt === 2),
    );
    await waitFor('words of the second attempt', () => textOf(events).length > 0);
    const late = watch();
    await waitFor('its first words for a late watcher', () => textOf(late).startsWith('First I look'));
    expect(events.at(-1)?.type).toBe('answer.delta'); // the answer is not over yet
    await waitFor('the end', () => events.at(-1)?.type === 'answer.ended');
    expect(events.filter(({ type }) => type === 'answer.asked')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
    expect(textOf(events)).toBe(words);
    expect(events).toContainEqual(
      expect.objectContaining({ delta: expect.objectContaining({ type: 'tool-call', name: 'list_files' }) }),
    );
  },
);

inOrder('each call that was stopped or lost is in the usage once, without a known cost', async () => {
  await untilCompleted(project);
  // What an unfinished answer cost is unknown.
  const unknown = { turn: 1, inputTokens: null, costUsd: null };
  expect((await project.transcript('s1-work')).usage.filter(({ turn }) => turn === 1)).toMatchObject([
    { ...unknown, outcome: 'CANCELLED' },
    { ...unknown, outcome: 'CANCELLED' },
    { ...unknown, outcome: 'LOST' },
    { turn: 1, outcome: 'ANSWERED' },
  ]);
  expect((await project.status()).cost.unknownCalls).toBe(3);
});
