import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProjectHandle, ProjectSettings } from '../../../client/index.ts';
import { createTestsAtOnce } from '../../support/at-once.ts';
import { startCommandLine } from '../../support/stack/command-line.ts';
import { call, proposal, smallProject, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { untilCompleted } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

/** One planning turn and four working turns. */
const features = [{ name: 'note', work: [call('git_log'), call('list_files'), writes('note')] }];
const atOnce = createTestsAtOnce();
let stack: ServiceStack;

beforeAll(async () => {
  stack = await startServiceStack({ script: smallProject(features) });
  await atOnce.run();
}, 1_200_000);
afterAll(() => stack?.stop());

async function start(
  name: string,
  budgets: ProjectSettings['budgets'],
  { maxTurns, model }: Pick<ProjectSettings, 'maxTurns' | 'model'> = {},
): Promise<ProjectHandle> {
  return stack.longhaul.startProject({
    goal: 'A note.',
    name,
    folder: join(stack.home, 'projects', name),
    features: proposal(features),
    settings: { budgets, ...(maxTurns && { maxTurns }), ...(model && { model }) },
  });
}

/** The turns for which the model was asked, in order. */
function asked(project: ProjectHandle): string[] {
  const own = stack.model.requests().filter((request) => request.project === project.id);
  return own.map(({ run, turn }) => `${run?.replace(`${project.id}-`, '')} ${turn}`);
}

const allTurns = ['s1-plan 1', 's1-work 1', 's1-work 2', 's1-work 3', 's1-work 4'];

atOnce.test('a spent budget stops before the next call, and raising it continues at the same turn', async () => {
  const project = await start('turns', { project: { turns: 3 } });
  expect(await project.waitForEnd({ orRest: true })).toEqual({
    status: 'PAUSED',
    reason: "The project's budget of 3 turns is spent (3 turns). Still to do: note.",
  });
  expect(asked(project)).toEqual(allTurns.slice(0, 3));
  await project.setBudget({ limits: { turns: 4 } });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'PAUSED' });
  await project.setBudget({ limits: { turns: null } });
  await untilCompleted(project);
  expect(asked(project)).toEqual(allTurns);
});

atOnce.test('a budget raised before the report that it is spent arrives does not stop the project', async () => {
  const old = { project: { turns: 2 } };
  const project = await start('late', old);
  const slow = { match: { run: `${project.id}-s1-work`, turn: 1 } };
  stack.model.misbehave({ kind: 'delay', milliseconds: 10_000 }, slow);
  await waitFor('the second call', () => asked(project).length >= 2);
  await project.setBudget({ limits: { turns: 50 } });
  const { addresses } = stack;
  const connection = await Connection.connect({ address: addresses.temporal });
  const workflow = new Client({ connection }).workflow.getHandle(project.id);
  // The late signal of a run that found the budget spent before it was raised.
  await workflow.signal('pause', { reason: 'The budget is spent.', budget: true, budgets: old });
  await untilCompleted(project);
  await connection.close();
});

atOnce.test('what a specialist uses counts towards the session it works for', async () => {
  const project = await start('session', { session: { turns: 2 } });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({
    status: 'PAUSED',
    reason: expect.stringContaining("The session's budget of 2 turns is spent"),
  });
  expect(asked(project)).toEqual(allTurns.slice(0, 2));
  await project.setBudget({ scope: 'session', limits: { turns: 100 } });
  await untilCompleted(project);
});

atOnce.test('a budget in dollars stops a model without a known price', async () => {
  const project = await start('dollars', { project: { usd: 5 } });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({
    status: 'PAUSED',
    reason: expect.stringContaining('the cost of 1 turn is unknown'),
  });
  expect((await project.budget()).spent).toMatchObject({ turns: 1, unpricedTurns: 1, usd: 0 });
  await project.setBudget({ limits: { usd: null, turns: 50 } });
  await untilCompleted(project);
});

atOnce.test('a dollar budget stops a model with a price, and raising it continues the work', async () => {
  const project = await start('priced', { project: { usd: 0.001 } }, { model: 'openai/gpt-4.1' });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({
    status: 'PAUSED',
    reason: expect.stringMatching(/^The project's budget of \$0\.001 is spent \(\$0\.\d+\)\. Still to do: note\.$/),
  });
  expect(asked(project)).toEqual(allTurns.slice(0, 1));
  const raised = await startCommandLine(stack.environment, 'budget', 'priced', '--usd', '20').ended;
  expect(raised).toMatchObject({ code: 0 });
  await untilCompleted(project);
  expect(asked(project)).toEqual(allTurns);
  expect((await project.budget()).spent).toMatchObject({ turns: 5, unpricedTurns: 0 });
});

atOnce.test('an agent is told what is left of its turns and budgets', async () => {
  const project = await start('told', { session: { turns: 5 }, run: { tokens: 1_000_000 } }, { maxTurns: 4 });
  await untilCompleted(project);
  const { messages } = await project.transcript('s1-work');
  expect(messages[0]?.content.text).toContain("You have 4 turns. Budget left: 4 turns of the session's 5 turns, ");
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content.text);
  expect(results).toEqual([
    expect.not.stringContaining(' left'),
    expect.not.stringContaining(' left'),
    expect.stringMatching(
      /\n\n\[Your next turn is the last: end your run with it\. 4 turns of the session's budget of 5 turns are used\.\]$/,
    ),
    expect.not.stringContaining('['),
  ]);
});

atOnce.test('an invalid limit is refused', async () => {
  const project = await start('refused', {});
  await expect(project.setBudget({ limits: { turns: -1 } })).rejects.toThrow(/above 0/);
  await project.abandon();
});
