import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle, ProjectSettings } from '../../client/index.ts';
import { call, proposal, smallProject, writes } from '../support/scripts.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

/** One planning turn and four of work. */
const features = [{ name: 'note', work: [call('git_log'), call('list_files'), writes('note')] }];
let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ script: smallProject(features) });
}, 120_000);
afterAll(() => stack?.stop(), 30_000);

async function start(name: string, budgets: ProjectSettings['budgets']): Promise<ProjectHandle> {
  return stack.longhaul.startProject({
    goal: 'A note.',
    name,
    folder: join(stack.home, name),
    features: proposal(features),
    settings: { budgets },
  });
}

/** The turns that the model was asked for, in order. */
function asked(project: ProjectHandle): string[] {
  const own = stack.model.requests().filter((request) => request.project === project.id);
  return own.map(({ run, turn }) => `${run?.replace(`${project.id}-`, '')} ${turn}`);
}

const allTurns = ['s1-plan 1', 's1-work 1', 's1-work 2', 's1-work 3', 's1-work 4'];
const limit = 120_000;

test(
  'a spent budget would not stop the next call, or raising it would begin anew',
  async () => {
    const project = await start('turns', { project: { turns: 3 } });
    expect(await project.waitForEnd({ orRest: true })).toEqual({
      status: 'PAUSED',
      reason: "The project's budget of 3 turns is spent (3 turns). Still to do: note.",
    });
    expect(asked(project)).toEqual(allTurns.slice(0, 3));
    await project.setBudget({ limits: { turns: 4 } });
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'PAUSED' });
    await project.setBudget({ limits: { turns: null } });
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
    expect(asked(project)).toEqual(allTurns);
  },
  limit,
);

test(
  'what a specialist uses would not count to the session that it works for',
  async () => {
    const project = await start('session', { session: { turns: 2 } });
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({
      status: 'PAUSED',
      reason: expect.stringContaining("The session's budget of 2 turns is spent"),
    });
    expect(asked(project)).toEqual(allTurns.slice(0, 2));
    await project.setBudget({ scope: 'session', limits: { turns: 100 } });
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
  },
  limit,
);

test(
  'a budget in dollars would never be reached by a model without a price',
  async () => {
    const project = await start('dollars', { project: { usd: 5 } });
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({
      status: 'PAUSED',
      reason: expect.stringContaining('1 turns were of a model without a known price'),
    });
    expect((await project.budget()).spent).toMatchObject({ turns: 1, unpricedTurns: 1, usd: 0 });
    await project.setBudget({ limits: { usd: null, turns: 50 } });
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
  },
  limit,
);

test(
  'nobody would be warned before a budget is spent, or at every turn after',
  async () => {
    const project = await start('warned', { project: { turns: 6 } });
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
    const warnings = (await project.log()).flatMap(({ data }) => (data.type === 'budget-warned' ? [data.text] : []));
    expect(warnings).toEqual(["5 turns of the project's budget of 6 turns are used"]);
  },
  limit,
);

test(
  'a limit that is none would be taken',
  async () => {
    const project = await start('refused', {});
    await expect(project.setBudget({ limits: { turns: -1 } })).rejects.toThrow(/above 0/);
    await project.abandon();
  },
  limit,
);
