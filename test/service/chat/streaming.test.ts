import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { AnswerEvent, ProjectHandle } from '../../../client/index.ts';
import { call, smallProject, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { untilCompleted } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

const words = 'First I look at what is there, then I write the note, and then I look at it again. '.repeat(40);
const script = smallProject([
  {
    name: 'note',
    work: [{ ...call('list_files'), text: words }, writes('note')],
  },
]);

let stack: ServiceStack;
let count = 0;
let leaving: AbortController;
let watching: Promise<void> | undefined;

beforeAll(async () => {
  stack = await startServiceStack({ worker: 'process', script });
});
afterAll(() => stack?.stop());
beforeEach(() => {
  leaving = new AbortController();
});
afterEach(async () => {
  stack.model.behave();
  leaving.abort();
  await watching;
});

async function start(): Promise<ProjectHandle> {
  count += 1;
  const folder = join(stack.home, 'projects', `note-${count}`);
  return stack.longhaul.startProject({ goal: 'A note.', name: `note-${count}`, folder });
}

/** Collects the answer events of the first working turn. */
function watch(project: ProjectHandle): AnswerEvent[] {
  const events: AnswerEvent[] = [];
  const listen = (event: AnswerEvent) => {
    if (event.run === `${project.id}-s1-work` && event.turn === 1) events.push(event);
  };
  watching = project.watchAnswers(listen, { signal: leaving.signal });
  return events;
}

/** The text a screen would show: that of the latest attempt. */
function textOf(events: AnswerEvent[]): string {
  return events
    .slice(events.findLastIndex(({ type }) => type === 'answer-started'))
    .map((event) => (event.type === 'answer-delta' && event.delta.type === 'text' ? event.delta.text : ''))
    .join('');
}

/** Waits until Temporal has a heartbeat with the current call, which the next attempt then learns of. */
async function untilBeaten(project: ProjectHandle): Promise<void> {
  const { addresses } = stack;
  const connection = await Connection.connect({ address: addresses.temporal });
  const work = new Client({ connection }).workflow.getHandle(`${project.id}-s1-work`);
  await waitFor('the heart to beat', async () => {
    const { raw } = await work.describe();
    return raw.pendingActivities?.some(({ heartbeatDetails }) => heartbeatDetails?.payloads?.length) ?? false;
  });
  await connection.close();
}

test("the model's words are streamed, also to a late watcher", async () => {
  stack.model.misbehave({ kind: 'slow', milliseconds: 100 }, { match: { role: 'code', turn: 1 } });
  const project = await start();
  const early = watch(project);
  await waitFor('the first words', () => textOf(early).length > 0);
  const late: AnswerEvent[] = [];
  const alsoWatching = project.watchAnswers((event) => void late.push(event), { signal: leaving.signal });
  await waitFor('the first words again', () => textOf(late).startsWith('First I look'));
  expect(early.at(-1)?.type).toBe('answer-delta'); // the answer is not over yet
  await waitFor('the end', () => early.at(-1)?.type === 'answer-ended');
  expect(textOf(early)).toBe(words);
  expect(early).toContainEqual(
    expect.objectContaining({ delta: expect.objectContaining({ type: 'tool-call', name: 'list_files' }) }),
  );
  await untilCompleted(project);
  leaving.abort();
  await alsoWatching;
});

test('a stopped model call ends, and a worker killed during the next leaves no half text on the screen', async () => {
  const project = await start();
  const requests = () => stack.model.requests().filter(({ run }) => run === `${project.id}-s1-work`);
  for (const [index, slowness] of ([{ kind: 'hang' }, { kind: 'slow', milliseconds: 500 }] as const).entries()) {
    stack.model.behave();
    stack.model.misbehave(slowness, { match: { role: 'code', turn: 1 } });
    if (index > 0) await project.resume();
    await waitFor('the model to be asked', () => requests().length > index);
    await sleep(1_000); // lets the call get under way
    const before = performance.now();
    await project.pause({ now: true });
    await waitFor('the request to be broken off', () => requests()[index]?.outcome === 'left');
    // By design it takes less than a second; the margin is for a busy machine. Heartbeats that the worker throttles would come only after 8 s.
    expect(performance.now() - before).toBeLessThan(7_000);
  }

  stack.model.behave();
  stack.model.misbehave({ kind: 'slow', milliseconds: 100 }, { match: { role: 'code', turn: 1 } });
  const events = watch(project);
  await project.resume();
  await waitFor('the first words', () => textOf(events).length > 0);
  await untilBeaten(project);
  await stack.restartWorker();
  await waitFor('the end', () => events.at(-1)?.type === 'answer-ended');
  expect(events.filter(({ type }) => type === 'answer-started')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(textOf(events)).toBe(words);
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
