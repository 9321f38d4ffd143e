import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProjectStatus } from '../../../client/index.ts';
import { runCli } from '../../cli/run.ts';
import { createTestsAtOnce } from '../../support/at-once.ts';
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

const cases = {
  yes: { features: [{ name: 'asks', work: [hook, writes('asks')] }, { name: 'goes' }] },
  sentBack: {
    features: [
      {
        name: 'refused',
        attempts: [
          [hook, writes('refused')],
          [{ ...hook, expect: ['A person refused that .envrc land: We use no direnv.'] }, writes('refused')],
          [{ ...writes('refused'), expect: ['A person wants .envrc changed before the work lands: Print nothing.'] }],
        ],
      },
    ],
  },
  ruled: {
    features: [
      {
        name: 'ruled',
        attempts: [
          [writes('ruled'), call('write_file', { path: 'secret.pem', content: 'x\n' })],
          [
            {
              ...call('run_command', { command: 'ln -s /etc out' }),
              expect: ['secret.pem must not land: `deny Land(*.pem)` of the project.'],
            },
            writes('ruled'),
          ],
          [
            {
              ...call('run_command', { command: 'true; echo no' }),
              expect: ['The link out points to /etc, which leaves the repository'],
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
        deny: ['Land(*.pem)', 'Run(echo no)', 'Network(evil.example)'],
      },
    },
  },
  called: {
    features: [{ name: 'called', attempts: [[call('run_command', { command: 'true && echo asked' })]] }],
    settings: { permissions: { ask: ['Run(echo asked)'] } },
  },
  stopped: { features: [{ name: 'stopped', work: [hook, writes('stopped')] }] },
  helped: {
    features: [
      { name: 'helped', attempts: [[call('cannot_be_done', { reason: 'It must be both.', evidence: 'Line 1.' })]] },
    ],
  },
} satisfies Record<string, ProjectCase>;

const helped = {
  role: 'code',
  feature: 'helped',
  after: 'A person says: Use the word.',
  turns: [writes('helped'), finishes],
};

const called = {
  role: 'code',
  feature: 'called',
  after: 'A person allowed Run(true && echo asked).',
  turns: [
    call('run_command', { command: 'true && echo asked' }),
    { ...writes('called'), expect: ['exit code 0'] },
    finishes,
  ],
};

const atOnce = createTestsAtOnce();
let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [...scriptOf(cases).entries, helped, called] },
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
  await atOnce.run();
}, 1_200_000);
afterAll(() => stack?.stop());

function describeReach(sandbox: string): string {
  const { policy, refused = [] } = stack.sandboxes.networkOf(sandbox) ?? {};
  return [JSON.stringify(policy), ...refused.map(({ hosts, why }) => `${hosts} is refused by ${why}`)].join(' ');
}

/** A project shows that it waits for an instant after an answer. */
async function untilStatus({ project }: StartedProject, status: ProjectStatus): Promise<void> {
  await waitFor(status, async () => (await project.status()).status === status);
}

atOnce.test('work with a file that runs by itself waits for a yes, while the other features go on', async () => {
  const started = await startCase(stack, 'yes', cases.yes);
  const { project, folder } = started;
  const request = await untilRequested(stack.longhaul, project);
  expect(request).toMatchObject({ kind: 'landing', items: ['.envrc'], rule: '`ask Land(.envrc)` by default' });
  await untilStatus(started, 'WAITING');
  expect((await project.status()).reason).toContain(`longhaul answer ${request.id} yes`);
  expect((await project.features()).map(({ name, status }) => `${name} ${status}`)).toEqual([
    'asks IN_PROGRESS',
    'goes PASSING',
  ]);
  expect(existsSync(join(folder, '.envrc'))).toBe(false);
  const shown = await runCli(['inbox', 'yes'], stack);
  expect(shown.stdout).toContain(request.asked);
  const answered = await runCli(['answer', request.id, 'yes'], stack);
  expect(answered.stdout).toBe(`Answered ${request.id}: yes.\n`);
  await untilStatus(started, 'COMPLETED');
  await expectCompleted(started, ['asks 1 PASSED', 'goes 1 PASSED']);
  expect(existsSync(join(folder, '.envrc'))).toBe(true);
  await expect(stack.longhaul.inbox.answer({ id: request.id, answer: 'no' })).rejects.toThrow(
    'was answered yes by a person',
  );
});

atOnce.test('a no and an edit send the work back, and the next attempt reads what the person wants', async () => {
  const started = await startCase(stack, 'sent-back', cases.sentBack);
  const first = await untilRequested(stack.longhaul, started.project);
  // As a person sends it from the Temporal UI.
  const connection = await Connection.connect({ address: stack.addresses.temporal });
  const { workflow } = new Client({ connection });
  const handle = workflow.getHandle(started.project.id);
  await handle.signal('answerRequest', { id: 'unknown', answer: 'yes' });
  await handle.signal('answerRequest', { id: first.id, answer: 'perhaps' });
  await handle.signal('answerRequest', { id: first.id, answer: 'no', reason: 'We use no direnv.' });
  await handle.signal('answerRequest', { id: first.id, answer: 'yes' });
  await connection.close();
  await waitFor('the next attempt', async () => (await started.project.sessions()).length === 2);
  const { id } = await untilRequested(stack.longhaul, started.project);
  await expect(stack.longhaul.inbox.answer({ id, answer: 'edit' })).rejects.toThrow('Expected with edit');
  await stack.longhaul.inbox.answer({ id, answer: 'edit', reason: 'Print nothing.' });
  await untilStatus(started, 'COMPLETED');
  await expectCompleted(started, ['refused 1 FAILED', 'refused 2 FAILED', 'refused 3 PASSED']);
  expect(existsSync(join(started.folder, '.envrc'))).toBe(false);
});

atOnce.test(
  'rules of a project and the edge of the repository decide on files, calls and hosts without a question',
  async () => {
    const started = await startCase(stack, 'ruled', cases.ruled);
    const { project, folder } = await expectCompleted(started, ['ruled 1 FAILED', 'ruled 2 FAILED', 'ruled 3 PASSED']);
    expect((await project.log()).filter(({ data }) => data.type === 'request-opened')).toEqual([]);
    expect(['.envrc', 'secret.pem', 'out'].map((file) => existsSync(join(folder, file)))).toEqual([true, false, false]);
  },
);

atOnce.test('a revert interrupts work that waits, and takes its request out of the inbox', async () => {
  const { project } = await startCase(stack, 'stopped', cases.stopped);
  const { id } = await untilRequested(stack.longhaul, project);
  await project.revert({ checkpoint: 'c0' });
  expect(await project.sessions()).toMatchObject([{ status: 'INTERRUPTED', reason: 'It was stopped.' }]);
  expect(await stack.longhaul.inbox.list(project.id)).toEqual([]);
  await expect(stack.longhaul.inbox.answer({ id, answer: 'yes' })).rejects.toThrow('was withdrawn');
  await project.abandon();
});

atOnce.test('a feature that waits for a person is attempted again by a yes, with what the person says', async () => {
  const started = await startCase(stack, 'helped', cases.helped);
  const request = await untilRequested(stack.longhaul, started.project);
  expect(request).toMatchObject({ kind: 'feature', feature: 'helped' });
  expect(request.asked).toContain('It must be both.');
  await untilStatus(started, 'WAITING');
  await stack.longhaul.inbox.answer({ id: request.id, answer: 'yes', reason: 'Use the word.' });
  await untilStatus(started, 'COMPLETED');
});

atOnce.test('a call that a rule asks for ends the attempt, and the next one may do it after a yes', async () => {
  const started = await startCase(stack, 'called', cases.called);
  const request = await untilRequested(stack.longhaul, started.project);
  expect(request).toMatchObject({ kind: 'call', items: ['Run(true && echo asked)'] });
  await untilStatus(started, 'WAITING');
  expect(await stack.longhaul.inbox.list(started.project.id)).toHaveLength(1);
  await stack.longhaul.inbox.answer({ id: request.id, answer: 'yes' });
  await untilStatus(started, 'COMPLETED');
  await expectCompleted(started, ['called 1 FAILED', 'called 1 PASSED']);
});
