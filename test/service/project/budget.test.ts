import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProjectHandle } from '../../../client/index.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { untilRequested } from '../../support/stack/moments.ts';
import { call, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  startCase,
} from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Each turn of it costs some tenths of a cent. */
const model = 'openai/gpt-4.1';
const hook = call('write_file', { path: '.envrc', content: 'echo hello\n' });
const budgets = { project: { usd: 0.001, turns: 3 }, session: { turns: 2 }, run: { tokens: 1_000_000 } };
const cases = {
  /** One planning turn and four working turns. */
  spent: {
    features: [{ name: 'note', work: [call('git_log'), hook, writes('note')] }],
    settings: { model, maxTurns: 4, budgets, permissions: { ask: ['Spend(>0.0001 USD)', 'Spend(>1000 USD)'] } },
  },
  /** Its model has no known price. */
  dollars: {
    features: [{ name: 'priceless' }],
    settings: { budgets: { project: { usd: 5 } }, permissions: { deny: ['Spend(>1000 USD)'] } },
  },
} satisfies Record<string, ProjectCase>;

let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({ script: scriptOf(cases) });
});
afterAll(() => stack?.stop());

/** The turns for which the model was asked, in order. */
function asked({ id }: ProjectHandle): string[] {
  const own = stack.model.requests().filter((request) => request.project === id);
  return own.map(({ run, turn }) => `${run?.replace(`${id}-`, '')} ${turn}`);
}

async function untilWaiting(project: ProjectHandle, why: string): Promise<void> {
  await waitFor(`${project.id} to wait: ${why}`, async () => {
    const { status, reason } = await project.status();
    return status === 'WAITING' && reason?.includes(why) === true;
  });
}

const allTurns = ['s1-plan 1', 's1-work 1', 's1-work 2', 's1-work 3', 's1-work 4'];

// One session, which reaches one budget after the other, and then waits for a yes.
const inOrder = createTestsInOrder();
let started: StartedProject;
describe('a spent budget stops before the next call, and raising it continues at the same turn:', () => {
  let project: ProjectHandle;
  beforeAll(async () => {
    started = await startCase(stack, 'spent', cases.spent);
    project = started.project;
  });

  inOrder("a project's dollars, which a model with a price uses", async () => {
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({
      status: 'PAUSED',
      reason: expect.stringMatching(/^The project's budget of \$0\.001 is spent \(\$0\.\d+\)\. Still to do: note\.$/),
    });
    expect(asked(project)).toEqual(allTurns.slice(0, 1));
    await project.setBudget({ limits: { usd: 20 } });
  });

  inOrder('an amount for which a rule asks, until a person allows it, also after a no', async () => {
    const { id, kind, rule } = await untilRequested(stack.longhaul, project);
    expect([kind, rule]).toEqual(['spending', '`ask Spend(>0.0001 USD)` of the project']);
    await untilWaiting(project, `longhaul answer ${id} yes`);
    // The start of its id is enough.
    await stack.longhaul.inbox.answer({ id: id.slice(0, -1), answer: 'no', reason: 'Enough.' });
    await untilWaiting(project, `was not allowed: Enough. \`longhaul answer ${id} yes\` allows it after all.`);
    await project.resume();
    await untilWaiting(project, 'was not allowed');
    expect(asked(project)).toEqual(allTurns.slice(0, 1));
    await expect(stack.longhaul.inbox.answer({ id, answer: 'no' })).rejects.toThrow('was answered no');
    await stack.longhaul.inbox.answer({ id, answer: 'yes' });
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
    await untilRequested(stack.longhaul, project);
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

inOrder(
  'work that waits for a yes outlives a restart of the worker, then lands, and no turn or answer is repeated',
  async () => {
    const { project, folder } = started;
    const { id } = await untilRequested(stack.longhaul, project);
    await untilWaiting(project, `longhaul answer ${id} yes`);
    await stack.restartWorker();
    expect((await stack.longhaul.inbox.list(project.id)).map((request) => request.id)).toEqual([id]);
    await stack.longhaul.inbox.answer({ id, answer: 'yes' });
    await waitFor('the end', async () => (await project.status()).status === 'COMPLETED');
    await expectCompleted(started, ['note 1 PASSED']);
    expect(existsSync(join(folder, '.envrc'))).toBe(true);
    expect(asked(project)).toEqual(allTurns);
    const requests = (await project.log()).flatMap(({ data: { type } }) => (/^request\./.test(type) ? [type] : []));
    expect(requests).toEqual([
      ...['request.opened', 'request.answered', 'request.answered'], // the amount
      ...['request.opened', 'request.answered'],
    ]);
  },
);

test('a budget in dollars stops a model without a known price, and so does a rule that denies an amount', async () => {
  const { project } = await startCase(stack, 'dollars', cases.dollars);
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({
    status: 'PAUSED',
    reason: expect.stringContaining('the cost of 1 turn is unknown'),
  });
  expect((await project.budget()).spent).toMatchObject({ turns: 1, unpricedTurns: 1, usd: 0 });
  await project.setBudget({ limits: { usd: null, turns: 50 } });
  await untilWaiting(project, 'No more may be spent: `deny Spend(>1000 USD)` of the project');
  expect(await stack.longhaul.inbox.list(project.id)).toEqual([]);
  expect(asked(project)).toEqual(['s1-plan 1']);
  await project.abandon();
});
