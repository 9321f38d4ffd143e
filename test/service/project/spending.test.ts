import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
const cases = {
  spends: {
    features: [{ name: 'spends', work: [hook, writes('spends')] }],
    settings: { model, permissions: { ask: ['Spend(>0.0001 USD)', 'Spend(>1000 USD)'] } },
  },
  denied: { features: [{ name: 'denied' }], settings: { model, permissions: { deny: ['Spend(>0.0001 USD)'] } } },
} satisfies Record<string, ProjectCase>;

let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({ script: scriptOf(cases) });
}, 1_200_000);
afterAll(() => stack?.stop());

async function untilWaiting(project: ProjectHandle, why: string): Promise<void> {
  await waitFor(`${project.id} to wait: ${why}`, async () => {
    const { status, reason } = await project.status();
    return status === 'WAITING' && reason?.includes(why) === true;
  });
}

/** The turns for which the model was asked, in order. */
function asked({ id }: ProjectHandle): string[] {
  const own = stack.model.requests().filter((request) => request.project === id);
  return own.map(({ run, turn }) => `${run?.replace(`${id}-`, '')} ${turn}`);
}

describe('what waits for an answer outlives a restart of the worker:', () => {
  const inOrder = createTestsInOrder();
  let started: StartedProject;
  beforeAll(async () => {
    started = await startCase(stack, 'spends', cases.spends);
  });

  inOrder('a refused spending stops the project until a person allows it after all', async () => {
    const { project } = started;
    const { id, kind, rule } = await untilRequested(stack.longhaul, project);
    expect([kind, rule]).toEqual(['spending', '`ask Spend(>0.0001 USD)` of the project']);
    await untilWaiting(project, `longhaul answer ${id} yes`);
    await stack.restartWorker();
    await stack.longhaul.inbox.answer({ id, answer: 'no', reason: 'Enough.' });
    await untilWaiting(project, `was not allowed: Enough. \`longhaul answer ${id} yes\` allows it after all.`);
    await project.resume();
    await untilWaiting(project, 'was not allowed');
    expect(asked(project)).toEqual(['s1-plan 1']);
    await expect(stack.longhaul.inbox.answer({ id, answer: 'no' })).rejects.toThrow('was answered no');
    await stack.longhaul.inbox.answer({ id, answer: 'yes' });
  });

  inOrder('allowed work lands, each answer counts once, and no turn is repeated', async () => {
    const { project, folder } = started;
    const { id } = await untilRequested(stack.longhaul, project);
    await untilWaiting(project, `longhaul answer ${id} yes`);
    await stack.restartWorker();
    expect((await stack.longhaul.inbox.list()).map((request) => request.id)).toEqual([id]);
    await stack.longhaul.inbox.answer({ id, answer: 'yes' });
    await waitFor('the end', async () => (await project.status()).status === 'COMPLETED');
    await expectCompleted(started, ['spends 1 PASSED']);
    expect(existsSync(join(folder, '.envrc'))).toBe(true);
    const turns = asked(project);
    expect(turns).toEqual([...new Set(turns)]);
    const log = (await project.log()).map(({ data }) => data.type);
    expect(log.filter((type) => type === 'request-opened' || type === 'request-answered')).toEqual([
      ...['request-opened', 'request-answered', 'request-answered'],
      ...['request-opened', 'request-answered'],
    ]);
  });
});

test('a denied amount stops the project as a spent budget does', async () => {
  const { project } = await startCase(stack, 'denied', cases.denied);
  await untilWaiting(project, 'No more may be spent: `deny Spend(>0.0001 USD)` of the project');
  expect(await stack.longhaul.inbox.list(project.id)).toEqual([]);
  expect(asked(project)).toEqual(['s1-plan 1']);
  await project.abandon();
});
