import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, hasNetwork, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  sessionsOf,
  startCases,
  toldTo,
} from '../../support/stack/side-by-side.ts';

const cases = {
  endless: {
    stepTimeoutMs: 10_000,
    features: [
      {
        name: 'endless',
        command: 'test -f endless.txt || sleep infinity',
        attempts: [[], [{ ...writes('endless'), expect: ['failed (stopped after 10 s)'] }]],
      },
    ],
  },
  loud: {
    features: [
      {
        name: 'loud',
        command: 'echo begin; yes | head -c 100000000; echo end; test -f loud.txt',
        attempts: [[], [{ ...writes('loud'), expect: ['      end'] }]],
      },
    ],
  },
  suicidal: {
    settings: { maxAttempts: 1 },
    features: [
      { name: 'suicidal', command: 'test -f suicidal.txt || kill -9 $$', work: [] },
      { name: 'murderous', command: `test -f murderous.txt || bash -c 'kill -9 -1; exit 0'`, work: [] },
    ],
  },
  offline: {
    settings: { network: 'none' },
    changes: { setup_script: `! ${hasNetwork} && [ "$(ls /sys/class/net)" = lo ] && touch ~/no-network-at-set-up` },
    features: [
      {
        name: 'offline',
        work: [
          call('run_command', { command: `${hasNetwork} && echo a way out || echo no way out` }),
          { ...writes('offline'), expect: ['no way out\n[exit code 0]'] },
        ],
        command: `test -f ~/no-network-at-set-up && ! ${hasNetwork} && grep -qx offline offline.txt`,
      },
    ],
  },
  online: {
    settings: { network: ['allowed.example.org'] },
    features: [
      {
        name: 'online',
        work: [
          call('run_command', { command: `${hasNetwork} && echo a way out || echo no way out` }),
          { ...writes('online'), expect: ['a way out\n[exit code 0]'] },
        ],
        command: `test -f ~/network-at-set-up && ! ${hasNetwork} && grep -qx online online.txt`,
      },
    ],
    changes: { setup_script: `${hasNetwork} && ! curl -sf http://refused.example.org && touch ~/network-at-set-up` },
  },
  forged: {
    settings: { maxAttempts: 1 },
    changes: { setup_script: `[ ! -f forged.txt ] || { ${forge()} }` },
    features: [
      {
        name: 'forged',
        files: [{ path: 'acceptance/forged.sh', content: 'grep -qx forged forged.txt\n' }],
        command: 'sleep 2; bash acceptance/forged.sh',
        work: [call('write_file', { path: 'forged.txt', content: 'something else\n' })],
      },
    ],
  },
} satisfies Record<string, ProjectCase>;

/** What a set-up script may try: it starts a process that waits until the protected files were checked, then changes the one that the step runs. */
function forge(): string {
  return '(sleep 3; while sleep 0.1; do echo true >acceptance/forged.sh; done) >/dev/null 2>&1 &';
}

let stack: ServiceStack;
let started: Record<keyof typeof cases, StartedProject>;

beforeAll(async () => {
  stack = await startServiceStack({ containers: true, script: scriptOf(cases) });
  started = await startCases(stack, cases);
});
afterAll(() => stack?.stop());

const completed = (name: keyof typeof cases, sessions: string[]) => expectCompleted(started[name], sessions);

test('a verification command that never ends is stopped after its time limit, and the next attempt knows', async () => {
  const { project } = await completed('endless', ['endless 1 FAILED', 'endless 2 PASSED']);
  expect((await project.sessions())[0]?.reason).toContain('failed (stopped after 10 s)');
});

test('a verification command that prints 100 MB leaves the beginning and the end of it', async () => {
  const { project } = await completed('loud', ['loud 1 FAILED', 'loud 2 PASSED']);
  expect((await project.sessions())[0]?.reason?.length).toBeLessThan(500);
  const [, task = ''] = await toldTo(project, 's2-plan');
  expect(task).toMatch(/ {6}end\n/);
  expect(task.length).toBeLessThan(20_000);
});

test('a verification command that kills its own shell or everything it can does not pass', async () => {
  const { project } = started.suicidal;
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  expect(await sessionsOf(project)).toEqual(['suicidal 1 FAILED', 'murderous 1 FAILED']);
  const [shell, all] = await project.sessions();
  expect(shell?.reason).toContain('failed (exit code 137)');
  expect(all?.reason).toMatch(/failed \((exit code 137|interrupted)\)/);
});

test('a project without network has none in set-up, work and verification', async () => {
  await completed('offline', ['offline 1 PASSED']);
});

test('a project with network has it in set-up and work, its verification has none, and its log has what was refused', async () => {
  const { project } = await completed('online', ['online 1 PASSED']);
  const refused = (await project.log({ after: 0 }))
    .map(({ data }) => data)
    .filter(({ type }) => type === 'network-refused');
  const why = 'network policy "allowed.example.org" does not allow refused.example.org:80';
  const refusals = [{ host: 'refused.example.org:80', why }];
  expect(refused).toEqual([
    { type: 'network-refused', sandbox: `${project.id}-s1`, refusals },
    { type: 'network-refused', sandbox: expect.stringMatching(/-s1-v/), refusals },
  ]);
});

test('a set-up script that changes a check while the steps run passes nothing', async () => {
  const { project } = started.forged;
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  expect(await sessionsOf(project)).toEqual(['forged 1 FAILED']);
  expect((await project.sessions())[0]?.reason).toMatch(/failed \(exit code 1\): `sleep 2; bash acceptance/);
});
