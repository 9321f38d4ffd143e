import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import { readConfiguration } from '../../config/configuration.ts';
import { connectDatabase, type Database } from '../../db/database.ts';
import { setProjectStatus } from '../../db/projects.ts';
import { readAddresses } from '../../setup/stack/read-stack.ts';
import { untilAnswered } from '../support/moments.ts';
import { sandboxesOf } from '../support/sandboxes-of.ts';
import { call, smallProject, writes } from '../support/scripts.ts';
import { gitIn } from '../support/side-by-side.ts';
import { startTestStack, type TestStack, waitFor } from '../support/test-stack.ts';

const script = smallProject([
  {
    name: 'first',
    planning: [
      call('record_decision', {
        title: 'Lines end with LF',
        context: 'Files',
        choice: 'LF only',
        reasoning: 'Simple',
        tags: [],
      }),
    ],
  },
  {
    name: 'second',
    work: [call('run_command', { command: 'echo begun >> ~/runs; sleep 7; echo done' }), writes('second')],
  },
  { name: 'third', dependencies: ['second'] },
]);

let stack: TestStack;
let count = 0;

beforeAll(async () => {
  stack = await startTestStack({ script });
}, 120_000);
afterAll(() => stack?.stop(), 30_000);

async function start(settings = {}): Promise<ProjectHandle> {
  count += 1;
  return stack.longhaul.startProject({
    goal: 'Three files.',
    name: `three-${count}`,
    folder: join(stack.home, `three-${count}`),
    settings,
  });
}

async function statusOf(project: ProjectHandle): Promise<Record<string, string>> {
  return Object.fromEntries((await project.features()).map((feature) => [feature.name, feature.status]));
}

const git = (project: number, ...parameters: string[]) => gitIn(join(stack.home, `three-${project}`))(...parameters);

const running = (project: ProjectHandle) => sandboxesOf(project.id, { running: true });

async function inDatabaseOf({ environment }: TestStack, work: (database: Database) => Promise<void>): Promise<void> {
  const { database: url = '' } = await readAddresses(readConfiguration(environment));
  const { database, close } = connectDatabase(url, { maxConnections: 1 });
  await work(database).finally(close);
}

const untilCommandRuns = (project: ProjectHandle) => untilAnswered(project, 's2-work', 1);

test('a pause during a command keeps its result, and the resume goes on at the same turn', async () => {
  const project = await start();
  await untilCommandRuns(project);
  await project.pause({ reason: 'lunch' });
  const run = `${project.id}-s2-work`;
  await waitFor('the command to end and be kept', 20_000, async () =>
    (await project.log()).some(({ data }) => data.type === 'tool-completed' && data.run === run),
  );
  expect(await project.status()).toMatchObject({ status: 'PAUSED' });
  const asked = stack.model.requests().length;
  await waitFor('the sandbox to stop', 20_000, async () => (await running(project)).length === 0);
  expect(stack.model.requests()).toHaveLength(asked);
  await project.resume();
  expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
  const { messages } = await project.transcript('s2-work');
  const results = messages.filter((message) => message.role === 'tool').map((message) => message.content.text);
  expect(results[0]).toContain('done\n[exit code 0]');
}, 120_000);

test('a run that has not heard of the pause yet asks no model, and the resume goes on at the same turn', async () => {
  const project = await start();
  await untilCommandRuns(project);
  await inDatabaseOf(stack, (database) => setProjectStatus(database, project.id, 'PAUSED', 'lunch'));
  await waitFor('the sandbox to stop', 40_000, async () => (await running(project)).length === 0);
  const asked = stack.model.requests().filter(({ run }) => run === `${project.id}-s2-work`);
  expect(asked.map(({ turn }) => turn)).toEqual([1]);
  await project.resume();
  expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
  expect((await project.sessions()).map(({ status }) => status)).toEqual(['PASSED', 'PASSED', 'PASSED']);
}, 120_000);

test('a pause --now stops the command within a heartbeat, and the agent is told', async () => {
  const project = await start();
  await untilCommandRuns(project);
  await project.pause({ now: true });
  const before = Date.now();
  await waitFor('the command to be stopped', 20_000, async () =>
    (await project.log()).some(({ data }) => data.type === 'tool-completed' && data.run.endsWith('s2-work')),
  );
  expect(Date.now() - before).toBeLessThan(8_000);
  await project.resume();
  expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
  const { messages } = await project.transcript('s2-work');
  expect(messages.find((message) => message.role === 'tool')?.content.text).toContain('stopped by a person');
}, 120_000);

test('a revert during a command moves branch, features and decisions back, and can be undone', async () => {
  const project = await start();
  const number = count;
  await untilCommandRuns(project);
  const head = git(number, 'rev-parse', 'HEAD');
  const reverted = await project.revert({ checkpoint: 'c0', reason: 'try again' });
  expect(git(number, 'rev-parse', 'HEAD')).toBe(reverted.commit);
  expect(git(number, 'rev-parse', reverted.keptRef)).toBe(head);
  expect(await statusOf(project)).toEqual({ first: 'NOT_STARTED', second: 'NOT_STARTED', third: 'NOT_STARTED' });
  expect(await project.decisions()).toEqual([]);
  expect(existsSync(join(stack.home, `three-${number}`, 'first.txt'))).toBe(false);
  expect(await project.status()).toMatchObject({ status: 'PAUSED' });
  expect(await running(project)).toEqual([]);

  await project.revert({ checkpoint: 'c1' });
  expect(await statusOf(project)).toMatchObject({ first: 'PASSING' });
  expect(await project.decisions()).toHaveLength(1);
  expect(git(number, 'rev-parse', 'HEAD')).toBe(head);
  await project.resume();
  expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
}, 120_000);

test('a revert to what is no checkpoint is refused and stops nothing', async () => {
  const project = await start();
  await untilCommandRuns(project);
  await expect(project.revert({ checkpoint: 'c99' })).rejects.toThrow(/"c99" is not a checkpoint/);
  expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
  expect((await project.sessions()).map((session) => session.status)).toEqual(['PASSED', 'PASSED', 'PASSED']);
}, 120_000);

test('a revert over uncommitted changes is refused, then keeps them under the ref', async () => {
  const project = await start();
  const number = count;
  expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
  writeFileSync(join(stack.home, `three-${number}`, 'mine.txt'), 'a person wrote this\n');
  await expect(project.revert({ checkpoint: 'c1' })).rejects.toThrow(/not committed/);
  const { keptRef } = await project.revert({ checkpoint: 'c1', overUncommittedChanges: true });
  expect(git(number, 'show', `${keptRef}:mine.txt`)).toBe('a person wrote this');
  expect(await statusOf(project)).toMatchObject({ first: 'PASSING', second: 'NOT_STARTED' });
}, 120_000);

test('an abandon during a command stops it, closes the sandbox and keeps everything readable', async () => {
  const project = await start();
  await untilCommandRuns(project);
  await project.abandon('wrong goal');
  expect(await project.waitForEnd()).toMatchObject({ status: 'ABANDONED' });
  expect(await running(project)).toEqual([]);
  expect(await statusOf(project)).toMatchObject({ first: 'PASSING', second: 'INTERRUPTED' });
  expect((await project.transcript('s1-work')).messages.length).toBeGreaterThan(3);
  await project.resume();
  expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
}, 120_000);

test('one asked-for session runs while the project is paused, and no second one', async () => {
  const project = await start({ maxSessions: 1 });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  const started = await project.runSession({ feature: 'second' });
  expect(started).toMatchObject({ feature: 'second', attempt: 1 });
  await waitFor('the session to pass', 60_000, async () => (await statusOf(project)).second === 'PASSING');
  await expect(project.runSession({ feature: 'nothing' })).rejects.toThrow(/is called "nothing"/);
  await waitFor('the project to rest', 20_000, async () => (await project.status()).status === 'WAITING');
  expect(await statusOf(project)).toEqual({ first: 'PASSING', second: 'PASSING', third: 'NOT_STARTED' });
}, 120_000);
