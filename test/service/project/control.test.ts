import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import { connectDatabase, type Database } from '../../../db/connection/database.ts';
import { setProjectStatus } from '../../../db/project/projects.ts';
import { createTestsAtOnce } from '../../support/at-once.ts';
import { untilAnswered, untilAsked, untilCommitted } from '../../support/stack/moments.ts';
import { call, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  gitIn,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  sessionsOf,
  startCase,
  untilCompleted,
} from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A person has the time to begin a merge while it is verified. */
const merged = { name: 'merged', command: 'sleep 6; grep -qx merged merged.txt' };

const decision = {
  title: 'Lines end with LF',
  context: 'Files',
  choice: 'LF only',
  reasoning: 'Simple',
  tags: [],
};
const first = { name: 'first', planning: [call('record_decision', decision)] };
const second = { name: 'second', work: [call('run_command', { command: 'sleep 10; echo done' }), writes('second')] };
const third = { name: 'third', dependencies: ['second'] };

const script = scriptOf({ all: { features: [first, second, third, merged] } });

const atOnce = createTestsAtOnce();
/** All of them in one go would take too much of the machine. */
const afterwards = createTestsAtOnce();
let stack: ServiceStack;
let count = 0;

beforeAll(async () => {
  stack = await startServiceStack({ script });
  await atOnce.run();
  await afterwards.run();
}, 1_200_000);
afterAll(() => stack?.stop());

/** Starts a project of the feature that runs a command, with others where a test needs them. */
function start(given: Partial<ProjectCase> = {}): Promise<StartedProject> {
  count += 1;
  return startCase(stack, `controlled-${count}`, { features: [second], ...given });
}

async function statusOf(project: ProjectHandle): Promise<Record<string, string>> {
  return Object.fromEntries((await project.features()).map((feature) => [feature.name, feature.status]));
}

const requestsOf = (project: ProjectHandle) =>
  stack.model.requests().filter((one) => one.project === project.id).length;

const running = async (project: ProjectHandle) =>
  (await stack.sandboxesOf(project.id)).filter(({ running }) => running);

async function inDatabaseOf({ addresses }: ServiceStack, work: (database: Database) => Promise<void>): Promise<void> {
  const url = addresses.database;
  const { database, close } = connectDatabase(url, { maxConnections: 1 });
  await work(database).finally(close);
}

const untilCommandRuns = (project: ProjectHandle, session = 's1') => untilAnswered(project, `${session}-work`, 1);

atOnce.test('a pause during a command keeps its result, and the resume continues at the same turn', async () => {
  const { project } = await start();
  await untilCommandRuns(project);
  await project.pause({ reason: 'lunch' });
  const run = `${project.id}-s1-work`;
  await waitFor('the command to end and be kept', async () =>
    (await project.log()).some(({ data }) => data.type === 'tool-completed' && data.run === run),
  );
  await waitFor('the pause to be shown', async () => (await project.status()).status === 'PAUSED');
  const asked = requestsOf(project);
  await waitFor('the sandbox to stop', async () => (await running(project)).length === 0);
  expect(requestsOf(project)).toBe(asked);
  await project.resume();
  await untilCompleted(project);
  const { messages } = await project.transcript('s1-work');
  const results = messages.filter((message) => message.role === 'tool').map((message) => message.content.text);
  expect(results[0]).toContain('done\n[exit code 0]');
});

atOnce.test(
  'a run that has not heard of the pause asks no model, and the resume continues at the same turn',
  async () => {
    const { project } = await start();
    await untilCommandRuns(project);
    await inDatabaseOf(stack, (database) => setProjectStatus(database, project.id, 'PAUSED', 'lunch'));
    await waitFor('the sandbox to stop', async () => (await running(project)).length === 0);
    const asked = stack.model.requests().filter(({ run }) => run === `${project.id}-s1-work`);
    expect(asked.map(({ turn }) => turn)).toEqual([1]);
    await project.resume();
    await untilCompleted(project);
    expect((await project.sessions()).map(({ status }) => status)).toEqual(['PASSED']);
  },
);

atOnce.test('a pause during a model call keeps its answer, and the resume continues from there', async () => {
  const { project } = await start();
  const run = `${project.id}-s1-work`;
  stack.model.misbehave({ kind: 'delay', milliseconds: 8_000 }, { match: { run }, times: 1 });
  await untilAsked(stack.model, project, 's1-work', 1);
  await project.pause();
  await untilAnswered(project, 's1-work', 1);
  await waitFor('the sandbox to stop', async () => (await running(project)).length === 0);
  expect(await project.status()).toMatchObject({ status: 'PAUSED' });
  const turns = () => stack.model.requests().flatMap((one) => (one.run === run ? [one.turn] : []));
  expect(turns()).toEqual([1]);
  await project.resume();
  await untilCompleted(project);
  expect(turns()).toEqual([1, 2, 3]);
});

atOnce.test('a pause --now stops the command, and the agent is told', async () => {
  const { project } = await start();
  await untilCommandRuns(project);
  await project.pause({ now: true });
  await waitFor('the command to be stopped', async () =>
    (await project.log()).some(({ data }) => data.type === 'tool-completed' && data.run.endsWith('s1-work')),
  );
  await project.resume();
  await untilCompleted(project);
  const { messages } = await project.transcript('s1-work');
  expect(messages.find((message) => message.role === 'tool')?.content.text).toContain('stopped by a person');
});

atOnce.test('a revert during a command moves branch, features and decisions back, and can be undone', async () => {
  const { project, folder, git } = await start({ features: [first, second] });
  await untilCommandRuns(project, 's2');
  const head = git('rev-parse', 'HEAD');
  const reverted = await project.revert({ checkpoint: 'c0', reason: 'try again' });
  expect(git('rev-parse', 'HEAD')).toBe(reverted.commit);
  expect(git('rev-parse', reverted.keptRef)).toBe(head);
  expect(await statusOf(project)).toEqual({ first: 'NOT_STARTED', second: 'NOT_STARTED' });
  expect(await project.decisions()).toEqual([]);
  expect(existsSync(join(folder, 'first.txt'))).toBe(false);
  expect(await project.status()).toMatchObject({ status: 'PAUSED' });
  expect(await running(project)).toEqual([]);

  await project.revert({ checkpoint: 'c1' });
  expect(await statusOf(project)).toMatchObject({ first: 'PASSING' });
  expect(await project.decisions()).toHaveLength(1);
  expect(git('rev-parse', 'HEAD')).toBe(head);
  await project.resume();
  await untilCompleted(project);
});

atOnce.test('a revert to an unknown checkpoint is refused and stops nothing', async () => {
  const { project } = await start();
  await untilCommandRuns(project);
  await expect(project.revert({ checkpoint: 'c99' })).rejects.toThrow(/"c99" is not a checkpoint/);
  await untilCompleted(project);
  expect((await project.sessions()).map((session) => session.status)).toEqual(['PASSED']);
});

atOnce.test('a revert over uncommitted changes is refused, then keeps them under the ref', async () => {
  const { project, folder, git } = await start({ features: [first, second] });
  await untilCompleted(project);
  writeFileSync(join(folder, 'mine.txt'), 'a person wrote this\n');
  await expect(project.revert({ checkpoint: 'c1' })).rejects.toThrow(/not committed/);
  const { keptRef } = await project.revert({ checkpoint: 'c1', overUncommittedChanges: true });
  expect(git('show', `${keptRef}:mine.txt`)).toBe('a person wrote this');
  expect(await statusOf(project)).toMatchObject({ first: 'PASSING', second: 'NOT_STARTED' });
});

afterwards.test('after a revert whose branch did not follow nothing is worked on until it is finished', async () => {
  const { project, folder, git } = await start({ features: [first, second] });
  await untilCommandRuns(project, 's2');
  // Git cannot write the branch's log, which is seen only when the branch is moved.
  const log = join(folder, '.git/logs/refs/heads/main');
  rmSync(log);
  mkdirSync(log);
  writeFileSync(join(log, 'in-the-way'), '');
  const head = git('rev-parse', 'HEAD');
  const untilWaiting = () => waitFor('the project to wait', async () => (await project.status()).status === 'WAITING');
  await expect(project.revert({ checkpoint: 'c0' })).rejects.toThrow(/is incomplete.*there are still logs/s);
  await untilWaiting();
  expect((await project.status()).reason).toContain('The revert to c0 is incomplete');
  await expect(project.runSession()).rejects.toThrow(/incomplete/);
  await project.resume();
  await untilWaiting();
  // Nor is it forgotten with the workflow.
  await project.abandon();
  expect(await project.waitForEnd()).toMatchObject({ status: 'ABANDONED' });
  await project.resume();
  await untilWaiting();
  expect((await project.status()).reason).toContain('The revert to c0 is incomplete');
  expect(git('rev-parse', 'HEAD')).toBe(head);
  expect(await project.sessions()).toHaveLength(2);
  rmSync(log, { recursive: true });
  const { commit, keptRef } = await project.revert({ checkpoint: 'c0' });
  expect([git('rev-parse', 'HEAD'), git('rev-parse', keptRef)]).toEqual([commit, head]);
  await project.resume();
  await untilCompleted(project);
});

atOnce.test('an abandon during a command stops it, closes the sandbox and keeps everything readable', async () => {
  const { project } = await start({ features: [first, second] });
  await untilCommandRuns(project, 's2');
  await project.abandon('wrong goal');
  expect(await project.waitForEnd()).toMatchObject({ status: 'ABANDONED' });
  expect(await running(project)).toEqual([]);
  expect(await statusOf(project)).toMatchObject({ first: 'PASSING', second: 'INTERRUPTED' });
  expect((await project.transcript('s1-work')).messages.length).toBeGreaterThan(3);
  await project.resume();
  await untilCompleted(project);
});

/** Waits until who follows the project knows that it waits for the end of a merge. */
async function untilToldToWait(project: ProjectHandle): Promise<void> {
  await waitFor('what it waits for', async () =>
    (await project.log()).some(({ data }) => data.type === 'work-delayed' && data.reason.startsWith('A merge is')),
  );
}

atOnce.test("a merge in progress at a project's start is reported", async () => {
  const folder = join(stack.home, 'projects', 'merging');
  mkdirSync(folder, { recursive: true });
  const byAda = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  gitIn(folder)('init', '--quiet');
  gitIn(folder)(...byAda, 'commit', '--quiet', '--allow-empty', '--message=Begin');
  const merge = join(folder, '.git/MERGE_HEAD');
  writeFileSync(merge, `${gitIn(folder)('rev-parse', 'HEAD')}\n`);
  const { project } = await startCase(stack, 'merging', { features: [merged] });
  await untilToldToWait(project);
  rmSync(merge);
  await untilCompleted(project);
});

for (const [name, then] of [
  ['unmerged', 'its end lets the work land in the same session'],
  ['given-up', 'an abandon would not be heeded until then'],
] as const) {
  atOnce.test(`a merge in progress is waited for, and ${then}`, async () => {
    const { project, folder, git } = await startCase(stack, name, { features: [merged] });
    await untilCommitted(project, folder, 's1');
    const head = git('rev-parse', 'HEAD');
    const merge = join(folder, '.git/MERGE_HEAD');
    writeFileSync(merge, `${head}\n`);
    await waitFor('the verification', async () =>
      (await project.log()).some(({ data }) => data.type === 'verification-completed' && data.purpose === 'session'),
    );
    await untilToldToWait(project);
    expect([await sessionsOf(project), git('rev-parse', 'HEAD')]).toEqual([['merged 1 RUNNING'], head]);
    if (name === 'given-up') {
      await project.abandon();
      await waitFor('its end', async () => (await sessionsOf(project)).includes('merged 1 INTERRUPTED'));
      expect(await project.waitForEnd()).toMatchObject({ status: 'ABANDONED' });
    } else {
      rmSync(merge);
      await untilCompleted(project);
      expect(await sessionsOf(project)).toEqual(['merged 1 PASSED']);
    }
  });
}

atOnce.test('one asked-for session runs while the project is paused, and no second one', async () => {
  const { project } = await start({ features: [first, second, third], settings: { maxSessions: 1 } });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  const started = await project.runSession({ feature: 'second' });
  expect(started).toMatchObject({ feature: 'second', attempt: 1 });
  await waitFor('the session to pass', async () => (await statusOf(project)).second === 'PASSING');
  await expect(project.runSession({ feature: 'nothing' })).rejects.toThrow(/has no feature "nothing"/);
  await waitFor('the project to rest', async () => (await project.status()).status === 'WAITING');
  expect(await statusOf(project)).toEqual({ first: 'PASSING', second: 'PASSING', third: 'NOT_STARTED' });
});
