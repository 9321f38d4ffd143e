import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProjectStatus } from '../../../client/index.ts';
import { runCli } from '../../cli/run.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { untilRequested } from '../../support/stack/moments.ts';
import { call, finishes, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  startCase,
} from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

const hook = call('write_file', { path: '.envrc', content: 'echo hello\n' });

const asked = 'true && echo asked';
const cases = {
  asks: {
    settings: { permissions: { ask: ['Run(echo asked)'] } },
    features: [
      {
        name: 'asks',
        attempts: [
          [hook, writes('asks')],
          [{ ...hook, expect: ['A person refused that .envrc land: We use no direnv.'] }, writes('asks')],
          [
            {
              ...call('cannot_be_done', { reason: 'It must be both.', evidence: 'Line 1.' }),
              expect: ['A person wants .envrc changed before the work lands: Print nothing.'],
            },
          ],
        ],
      },
      { name: 'goes' },
    ],
  },
  ruled: {
    features: [
      {
        name: 'ruled',
        attempts: [
          [call('run_command', { command: 'ln -s /etc out' }), writes('ruled')],
          [
            {
              ...call('run_command', { command: 'true; echo no' }),
              expect: ['The link out points to /etc, which leads out of the repository'],
            },
            {
              ...call('run_command', { command: 'look around' }),
              expect: ['Not allowed: `deny Run(echo no)` of the project decides on Run(echo no).'],
            },
            {
              ...hook,
              expect: [
                '["packages","api.example.com"] evil.example is refused by `deny Network(evil.example)` of the project',
              ],
            },
            writes('ruled'),
          ],
        ],
      },
    ],
    settings: {
      permissions: {
        allow: ['Land(.envrc)', 'Network(api.example.com)'],
        deny: ['Run(echo no)', 'Network(evil.example)'],
      },
    },
  },
} satisfies Record<string, ProjectCase>;

/** The later attempts at `asks`. */
const afterYes = [
  {
    role: 'code',
    feature: 'asks',
    after: 'A person says: Use the word.',
    turns: [call('run_command', { command: asked }), finishes],
  },
  {
    role: 'code',
    feature: 'asks',
    after: `A person allowed Run(${asked}).`,
    turns: [call('run_command', { command: asked }), { ...writes('asks'), expect: ['exit code 0'] }, hook, finishes],
  },
];

let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [...scriptOf(cases).entries, ...afterYes] },
    commands: [
      { match: 'echo asked', result: { output: 'asked\n' } },
      { match: 'look around', result: ({ sandbox }) => ({ output: describeReach(sandbox) }) },
      {
        match: 'ln -s /etc out',
        async result({ workspace }) {
          await symlink('/etc', join(workspace, 'out'));
          return {};
        },
      },
    ],
  });
});
afterAll(() => stack?.stop());

function describeReach(sandbox: string): string {
  const { policy, refused = [] } = stack.sandboxes.networkOf(sandbox) ?? {};
  return [JSON.stringify(policy), ...refused.map(({ hosts, why }) => `${hosts} is refused by ${why}`)].join(' ');
}

describe('what a person is asked about one feature:', () => {
  const inOrder = createTestsInOrder();
  let started: StartedProject;
  const untilStatus = (status: ProjectStatus) =>
    waitFor(status, async () => (await started.project.status()).status === status);
  const untilRequest = () => untilRequested(stack.longhaul, started.project);
  const untilSession = (count: number) =>
    waitFor(`session ${count}`, async () => (await started.project.sessions()).length === count);

  inOrder('work with a file that runs by itself waits for a yes, while the other features go on', async () => {
    started = await startCase(stack, 'asks', cases.asks);
    const { project, folder } = started;
    const request = await untilRequest();
    expect(request).toMatchObject({
      kind: 'landing',
      items: ['.envrc'],
      rule: '`ask Land(.envrc)` of the default rules',
    });
    await untilStatus('WAITING');
    expect((await project.status()).reason).toContain(`longhaul answer ${request.id} yes`);
    expect((await project.features()).map(({ name, status }) => `${name} ${status}`)).toEqual([
      'asks IN_PROGRESS',
      'goes PASSING',
    ]);
    expect(existsSync(join(folder, '.envrc'))).toBe(false);
  });

  inOrder('a revert interrupts work that waits, and takes its request out of the inbox', async () => {
    const { project } = started;
    const { id } = await untilRequest();
    await project.revert({ checkpoint: 'c2' });
    expect((await project.sessions())[0]).toMatchObject({ status: 'INTERRUPTED', reason: 'It was stopped.' });
    expect(await stack.longhaul.inbox.list(project.id)).toEqual([]);
    await expect(stack.longhaul.inbox.answer({ id, answer: 'yes' })).rejects.toThrow('was withdrawn');
    await project.resume();
  });

  inOrder('a no and an edit send the work back, and the next attempt reads what the person wants', async () => {
    const refused = await untilRequest();
    // As a person sends it from the Temporal UI.
    const connection = await Connection.connect({ address: stack.addresses.temporal });
    const handle = new Client({ connection }).workflow.getHandle(started.project.id);
    await handle.signal('answerRequest', { id: 'unknown', answer: 'yes' });
    await handle.signal('answerRequest', { id: refused.id, answer: 'perhaps' });
    await handle.signal('answerRequest', { id: refused.id, answer: 'no', reason: 'We use no direnv.' });
    await handle.signal('answerRequest', { id: refused.id, answer: 'yes' });
    await connection.close();
    await untilSession(4);
    const { id } = await untilRequest();
    await expect(stack.longhaul.inbox.answer({ id, answer: 'edit' })).rejects.toThrow('Expected --reason');
    await stack.longhaul.inbox.answer({ id, answer: 'edit', reason: 'Print nothing.' });
    await untilSession(5);
  });

  inOrder('a feature that waits for a person is attempted again by a yes, with what the person says', async () => {
    const request = await untilRequest();
    expect(request).toMatchObject({ kind: 'feature', feature: 'asks' });
    expect(request.asked).toContain('It must be both.');
    await untilStatus('WAITING');
    await stack.longhaul.inbox.answer({ id: request.id, answer: 'yes', reason: 'Use the word.' });
    await untilSession(6);
  });

  inOrder('a call that a rule asks for ends the attempt, and the next one may do it after a yes', async () => {
    const request = await untilRequest();
    expect(request).toMatchObject({ kind: 'call', items: [`Run(${asked})`] });
    await untilStatus('WAITING');
    expect(await stack.longhaul.inbox.list(started.project.id)).toHaveLength(1);
    await stack.longhaul.inbox.answer({ id: request.id, answer: 'yes' });
    await untilSession(7);
  });

  inOrder('a yes lands the work', async () => {
    const { id, asked } = await untilRequest();
    const shown = await runCli(['inbox', 'asks'], stack);
    expect(shown.stdout).toContain(asked);
    const answered = await runCli(['answer', id, 'yes'], stack);
    expect(answered.stdout).toBe(`Answered ${id}: yes.\n`);
    await untilStatus('COMPLETED');
    await expectCompleted(started, [
      ...['asks 1 INTERRUPTED', 'goes 1 PASSED', 'asks 1 FAILED', 'asks 2 FAILED', 'asks 3 FAILED'],
      ...['asks 1 FAILED', 'asks 1 PASSED'],
    ]);
    expect(existsSync(join(started.folder, '.envrc'))).toBe(true);
    await expect(stack.longhaul.inbox.answer({ id, answer: 'no' })).rejects.toThrow('was answered yes by a person');
  });
});

test('rules of a project and the edge of the repository decide on files, calls and hosts without a question', async () => {
  const started = await startCase(stack, 'ruled', cases.ruled);
  const { project, folder } = await expectCompleted(started, ['ruled 1 FAILED', 'ruled 2 PASSED']);
  expect((await project.log()).filter(({ data }) => data.type === 'request.opened')).toEqual([]);
  expect(['.envrc', 'out'].map((file) => existsSync(join(folder, file)))).toEqual([true, false]);
});
