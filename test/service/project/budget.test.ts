import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProjectHandle, ProjectSettings } from '../../../client/index.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { startCommandLine } from '../../support/stack/command-line.ts';
import { call, proposal, smallProject, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { untilCompleted } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

/** One planning turn and four working turns. */
const features = [{ name: 'note', work: [call('git_log'), call('list_files'), writes('note')] }];
let stack: ServiceStack;

beforeAll(async () => {
  stack = await startServiceStack({ script: smallProject(features) });
});
afterAll(() => stack?.stop());

function start(name: string, settings: Partial<ProjectSettings>): Promise<ProjectHandle> {
  const folder = join(stack.home, 'projects', name);
  return stack.longhaul.startProject({ goal: 'A note.', name, folder, features: proposal(features), settings });
}

/** The turns for which the model was asked, in order. */
function asked(project: ProjectHandle): string[] {
  const own = stack.model.requests().filter((request) => request.project === project.id);
  return own.map(({ run, turn }) => `${run?.replace(`${project.id}-`, '')} ${turn}`);
}

const allTurns = ['s1-plan 1', 's1-work 1', 's1-work 2', 's1-work 3', 's1-work 4'];

// One session, which reaches one budget after the other.
describe('a spent budget stops before the next call, and raising it continues at the same turn:', () => {
  const inOrder = createTestsInOrder();
  const budgets = { project: { usd: 0.001, turns: 3 }, session: { turns: 2 }, run: { tokens: 1_000_000 } };
  let project: ProjectHandle;
  beforeAll(async () => {
    project = await start('spent', { model: 'openai/gpt-4.1', maxTurns: 4, budgets });
  });

  inOrder("a project's dollars, which a model with a price uses", async () => {
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({
      status: 'PAUSED',
      reason: expect.stringMatching(/^The project's budget of \$0\.001 is spent \(\$0\.\d+\)\. Still to do: note\.$/),
    });
    expect(asked(project)).toEqual(allTurns.slice(0, 1));
    const raised = await startCommandLine(stack.environment, 'budget', 'spent', '--usd', '20').ended;
    expect(raised).toMatchObject({ code: 0 });
  });

  inOrder("a session's turns, to which those of the specialist count that works for it", async () => {
    await waitFor('the first turn of the specialist', () => asked(project).length >= 2);
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({
      status: 'PAUSED',
      reason: expect.stringContaining("The session's budget of 2 turns is spent"),
    });
    expect(asked(project)).toEqual(allTurns.slice(0, 2));
    await project.setBudget({ scope: 'session', limits: { turns: 5 } });
  });

  inOrder("a project's turns", async () => {
    await waitFor('the next turn', () => asked(project).length >= 3);
    expect(await project.waitForEnd({ orRest: true })).toEqual({
      status: 'PAUSED',
      reason: "The project's budget of 3 turns is spent (3 turns). Still to do: note.",
    });
    expect(asked(project)).toEqual(allTurns.slice(0, 3));
  });

  inOrder('an invalid limit is refused', async () => {
    await expect(project.setBudget({ limits: { turns: -1 } })).rejects.toThrow(/above 0/);
  });

  inOrder('a limit that was raised too little', async () => {
    await project.setBudget({ limits: { turns: 4 } });
    await waitFor('the next turn', () => asked(project).length >= 4);
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'PAUSED' });
    expect(asked(project)).toEqual(allTurns.slice(0, 4));
  });

  inOrder('a report of it that arrives after the budget was raised does not stop the project', async () => {
    const slow = { match: { run: `${project.id}-s1-work`, turn: 4 } };
    stack.model.misbehave({ kind: 'delay', milliseconds: 10_000 }, slow);
    await project.setBudget({ limits: { turns: null } });
    await waitFor('the last turn', () => asked(project).length >= 5);
    const connection = await Connection.connect({ address: stack.addresses.temporal });
    const workflow = new Client({ connection }).workflow.getHandle(project.id);
    // The late signal of a run that found the budget spent before it was raised.
    await workflow.signal('pause', { reason: 'The budget is spent.', budget: true, budgets });
    await connection.close();
    await untilCompleted(project);
    expect(asked(project)).toEqual(allTurns);
    expect((await project.budget()).spent).toMatchObject({ turns: 5, unpricedTurns: 0 });
  });

  inOrder('an agent is told what is left of its turns and budgets', async () => {
    const { messages } = await project.transcript('s1-work');
    expect(messages[0]?.content.text).toContain(
      "You have 4 turns. Budget left: $0 of the project's $0.001, 2 turns of the project's 3 turns, 1 turn of the session's 2 turns, ",
    );
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content.text);
    expect(results).toEqual([
      expect.stringContaining("2 turns of the session's budget of 2 turns are used"),
      expect.stringContaining("3 turns of the project's budget of 3 turns are used"),
      expect.stringMatching(
        /\n\n\[Your next turn is the last: end your run with it\. .*4 turns of the session's budget of 5 turns are used\.\]$/,
      ),
      expect.not.stringContaining('['),
    ]);
    expect(results.filter((text) => text.includes('turn is the last'))).toHaveLength(1);
  });
});

test('a budget in dollars stops a model without a known price', async () => {
  const project = await start('dollars', { budgets: { project: { usd: 5 } } });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({
    status: 'PAUSED',
    reason: expect.stringContaining('the cost of 1 turn is unknown'),
  });
  expect((await project.budget()).spent).toMatchObject({ turns: 1, unpricedTurns: 1, usd: 0 });
  await project.setBudget({ limits: { usd: null, turns: 50 } });
  await waitFor('the next turn', () => asked(project).length >= 2);
  await project.abandon();
});
