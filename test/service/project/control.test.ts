import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProjectHandle } from '../../../client/index.ts';
import { connectDatabase } from '../../../db/connection/database.ts';
import { setProjectStatus } from '../../../db/project/projects.ts';
import type { ProjectStatus } from '../../../domain/project/statuses.ts';
import type { ScriptedResult } from '../../../testing/index.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { untilAnswered, untilAsked } from '../../support/stack/moments.ts';
import { call, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { gitIn, type StartedProject, scriptOf, sessionsOf, startCase } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

const heard = 'A steering message from the person who follows your work:\n\n';
const holds = (number: number) => call('run_command', { command: `hold ${number}` });
const decision = {
  title: 'Lines end with LF',
  context: 'Files',
  choice: 'LF only',
  reasoning: 'Simple',
  tags: [],
};
const cases = {
  paused: {
    features: [
      {
        name: 'paused',
        work: [
          holds(1),
          call('list_files'),
          { ...holds(2), expect: [`${heard}Use tabs.`, `${heard}By hand.`] },
          holds(3),
          writes('paused'),
        ],
      },
    ],
  },
  reverted: {
    features: [
      { name: 'first', planning: [call('record_decision', decision)] },
      { name: 'second', work: [holds(1), writes('second')] },
    ],
  },
};

/** Ends each command `hold` that has begun, in order. One test at a time has such commands. */
const held: Array<() => void> = [];
const hold = () =>
  new Promise<ScriptedResult>((resolve) => {
    held.push(() => resolve({ output: 'done\n' }));
  });

let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({ script: scriptOf(cases), commands: [{ match: /^hold \d$/, result: hold }] });
});
afterAll(() => stack?.stop());

const untilHeld = (count: number) => waitFor(`command ${count} to run`, () => held.length === count);

const untilStatus = (project: ProjectHandle, wanted: ProjectStatus) =>
  waitFor(`${project.id} to be ${wanted}`, async () => (await project.status()).status === wanted);

const running = async (project: ProjectHandle) =>
  (await stack.sandboxesOf(project.id)).filter(({ running }) => running);

const untilSandboxStops = (project: ProjectHandle) =>
  waitFor('the sandbox to stop', async () => (await running(project)).length === 0);

async function statusOf(project: ProjectHandle): Promise<Record<string, string>> {
  return Object.fromEntries((await project.features()).map((feature) => [feature.name, feature.status]));
}

// The turns of one session, one after the other.
describe('a pause', () => {
  const inOrder = createTestsInOrder();
  let started: StartedProject;
  let merge: string;

  beforeAll(async () => {
    stack.model.misbehave(
      { kind: 'delay', milliseconds: 8_000 },
      { match: { feature: 'paused', role: 'code', turn: 2 } },
    );
    const folder = join(stack.home, 'projects', 'paused');
    merge = join(folder, '.git/MERGE_HEAD');
    mkdirSync(folder, { recursive: true });
    const byAda = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    gitIn(folder)('init', '--quiet');
    gitIn(folder)(...byAda, 'commit', '--quiet', '--allow-empty', '--message=Begin');
    writeFileSync(merge, `${gitIn(folder)('rev-parse', 'HEAD')}\n`);
    started = await startCase(stack, 'paused', cases.paused);
  });

  /** The turns of the work for which the model was asked. */
  const asked = () =>
    stack.model.requests().flatMap(({ run, turn }) => (run === `${started.project.id}-s1-work` ? [turn] : []));

  async function results(): Promise<string[]> {
    const { messages } = await started.project.transcript('s1-work');
    return messages.filter(({ role }) => role === 'tool').map(({ content }) => content.text);
  }

  /** How often who follows the project was told that it waits for the end of a merge. */
  const waits = async () =>
    (await started.project.log()).filter(
      ({ data }) => data.type === 'work.delayed' && data.reason.startsWith('A merge is'),
    ).length;

  inOrder("a merge in progress at a project's start is reported and waited for", async () => {
    await waitFor('what it waits for', async () => (await waits()) === 1);
    rmSync(merge);
    await untilHeld(1);
  });

  inOrder('a pause during a command keeps its result, and the resume continues at the same turn', async () => {
    const { project } = started;
    await project.pause({ reason: 'lunch' });
    await untilStatus(project, 'PAUSED');
    held[0]?.();
    await waitFor('the command to end and be kept', async () => (await results()).length === 1);
    await untilSandboxStops(project);
    expect(asked()).toEqual([1]);
    await project.resume();
    await untilAsked(stack.model, project, 's1-work', 2);
    expect(await results()).toEqual([expect.stringContaining('done\n[exit code 0]')]);
  });

  inOrder('a steering message during a model call is accepted once', async () => {
    const { project } = started;
    const request = { message: 'Use tabs.', id: randomUUID() };
    expect(await project.steer(request)).toEqual({ id: request.id, run: `${project.id}-s1-work` });
    await project.steer(request);
  });

  inOrder('a pause during a model call keeps its answer', async () => {
    const { project } = started;
    await project.pause();
    await untilAnswered(project, 's1-work', 2);
    await untilSandboxStops(project);
    expect(await project.status()).toMatchObject({ status: 'PAUSED' });
    expect(await results()).toHaveLength(1);
  });

  inOrder('a paused project accepts steering messages, also through Temporal', async () => {
    const connection = await Connection.connect({ address: stack.addresses.temporal });
    const handle = new Client({ connection }).workflow.getHandle(started.project.id);
    const steer = (message: object) => handle.executeUpdate('steer', { args: [message] });
    expect(await steer({ message: 'By hand.', run: 's1-work' })).toMatchObject({
      run: `${started.project.id}-s1-work`,
    });
    await expect(steer({ message: 'x', run: 's7' })).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/No run of .* is called "s7"/) },
    });
    await connection.close();
  });

  inOrder('the resume continues from there, and the agent reads each steering message once', async () => {
    const { project } = started;
    await project.resume();
    await untilHeld(2);
    expect(asked()).toEqual([1, 2, 3]);
    const { messages } = await project.transcript('s1-work');
    for (const text of ['Use tabs.', 'By hand.']) {
      const said = messages.filter(({ content }) => content.text === `${heard}${text}`);
      expect(said).toHaveLength(1);
      const before = messages.slice(0, said[0]?.number);
      const calls = before.flatMap(({ content }) => content.toolCalls?.map(({ id }) => id) ?? []);
      expect(before.flatMap(({ content }) => content.toolCallId ?? [])).toEqual(calls);
    }
    const told = (await project.log()).filter(({ data }) => data.type === 'steering.delivered');
    expect(told).toHaveLength(2);
  });

  inOrder(
    'a run that has not heard of the pause asks no model, and the resume continues at the same turn',
    async () => {
      const { project } = started;
      const { database, close } = connectDatabase(stack.addresses.database, { maxConnections: 1 });
      await setProjectStatus(database, project.id, 'PAUSED', 'lunch').finally(close);
      held[1]?.();
      await untilSandboxStops(project);
      expect(asked()).toEqual([1, 2, 3]);
      await project.resume();
      await untilHeld(3);
      expect(asked()).toEqual([1, 2, 3, 4]);
    },
  );

  inOrder('a revert to an unknown checkpoint is refused and stops nothing', async () => {
    const { project } = started;
    await expect(project.revert({ checkpoint: 'c99' })).rejects.toThrow(/"c99" is not a checkpoint/);
    expect(await project.status()).toMatchObject({ status: 'ACTIVE' });
    expect(await sessionsOf(project)).toEqual(['paused 1 RUNNING']);
    expect(await results()).toHaveLength(3);
  });

  inOrder('a pause --now stops the command, and the agent is told', async () => {
    const { project } = started;
    await project.pause({ now: true });
    await waitFor('the command to be stopped', async () => (await results()).length === 4);
    expect((await results()).at(-1)).toContain('stopped by a person');
  });

  inOrder('a merge in progress is waited for, and its end lets the work land in the same session', async () => {
    const { project, git } = started;
    const head = git('rev-parse', 'HEAD');
    writeFileSync(merge, `${head}\n`);
    await project.resume();
    await waitFor('what it waits for', async () => (await waits()) === 2);
    expect([await sessionsOf(project), git('rev-parse', 'HEAD')]).toEqual([['paused 1 RUNNING'], head]);
    rmSync(merge);
    await untilStatus(project, 'COMPLETED');
    expect(await sessionsOf(project)).toEqual(['paused 1 PASSED']);
    expect(held).toHaveLength(3);
  });
});

describe('a revert', () => {
  const inOrder = createTestsInOrder();
  let started: StartedProject;
  beforeAll(async () => {
    held.length = 0;
    started = await startCase(stack, 'reverted', cases.reverted);
    await untilHeld(1);
  });

  inOrder('a revert during a command moves branch, features and decisions back, and can be undone', async () => {
    const { project, folder, git } = started;
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
    await untilHeld(2);
  });

  inOrder('an abandon during a command stops it, closes the sandbox and keeps everything readable', async () => {
    const { project } = started;
    await project.abandon('wrong goal');
    expect(await project.waitForEnd()).toMatchObject({ status: 'ABANDONED' });
    expect(await running(project)).toEqual([]);
    expect(await statusOf(project)).toMatchObject({ first: 'PASSING', second: 'INTERRUPTED' });
    expect((await project.transcript('s1-work')).messages.length).toBeGreaterThan(3);
  });

  inOrder('a revert over uncommitted changes is refused, then keeps them under the ref', async () => {
    const { project, folder, git } = started;
    writeFileSync(join(folder, 'mine.txt'), 'a person wrote this\n');
    await expect(project.revert({ checkpoint: 'c0' })).rejects.toThrow(/not committed/);
    expect(await statusOf(project)).toMatchObject({ first: 'PASSING' });
    const { keptRef } = await project.revert({ checkpoint: 'c0', overUncommittedChanges: true });
    expect(git('show', `${keptRef}:mine.txt`)).toBe('a person wrote this');
    expect(await statusOf(project)).toEqual({ first: 'NOT_STARTED', second: 'NOT_STARTED' });
  });

  inOrder('after a revert whose branch did not follow nothing is worked on until it is finished', async () => {
    const { project, folder, git } = started;
    // Git cannot write the branch's log, which is seen only when the branch is moved.
    const log = join(folder, '.git/logs/refs/heads/main');
    rmSync(log);
    mkdirSync(log);
    writeFileSync(join(log, 'in-the-way'), '');
    const head = git('rev-parse', 'HEAD');
    await expect(project.revert({ checkpoint: 'c1' })).rejects.toThrow(/is incomplete.*there are still logs/s);
    await untilStatus(project, 'WAITING');
    expect((await project.status()).reason).toContain('The revert to c1 is incomplete');
    await expect(project.runSession()).rejects.toThrow(/incomplete/);
    await project.resume();
    await untilStatus(project, 'WAITING');
    // Nor is it forgotten with the workflow.
    await project.abandon();
    expect(await project.waitForEnd()).toMatchObject({ status: 'ABANDONED' });
    await project.resume();
    await untilStatus(project, 'WAITING');
    expect((await project.status()).reason).toContain('The revert to c1 is incomplete');
    expect(git('rev-parse', 'HEAD')).toBe(head);
    rmSync(log, { recursive: true });
    const { commit, keptRef } = await project.revert({ checkpoint: 'c1' });
    expect([git('rev-parse', 'HEAD'), git('rev-parse', keptRef)]).toEqual([commit, head]);
    expect(held).toHaveLength(2);
  });
});
