import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import { runCli } from '../../cli/run.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { call, proposal, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { gitIn, scriptOf } from '../../support/stack/side-by-side.ts';

const heard = 'A steering message from the person who follows your work:\n\n';
const features = [
  {
    name: 'first',
    work: [
      call('run_command', { command: 'look around' }),
      { ...writes('first'), expect: ['["packages","*.example.org"]'] },
    ],
  },
  {
    name: 'second',
    planning: [{ ...call('git_log'), expect: [`${heard}Mind the gap.`] }],
    work: [{ ...writes('second'), expect: ['worked on\n\n- Mind the gap.'] }],
  },
  { name: 'third' },
];
const initializer = {
  role: 'initializer',
  turns: [
    { ...call('list_files'), expect: ['One more letter.', 'It already has files'] },
    { ...call('propose_project', proposal(features)), expect: ['README.md'] },
  ],
};

/** The project that several terminals act on, one test after the other. */
const name = 'Letters';
let project: ProjectHandle;
let git: ReturnType<typeof gitIn>;
let stack: ServiceStack;
/** Not below a folder where projects may be without a request of `longhaul start`. */
const folder = mkdtempSync(join(tmpdir(), 'longhaul-command-lines-'));

beforeAll(async () => {
  const way = ({ sandbox }: { sandbox: string }) => JSON.stringify(stack.sandboxes.networkOf(sandbox)?.policy);
  stack = await startServiceStack({
    commands: [{ match: 'look around', result: (command) => ({ output: way(command) }) }],
    script: { entries: [initializer, ...scriptOf({ planned: { features } }).entries] },
  });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const inOrder = createTestsInOrder();
const longhaul = (...parameters: string[]) => runCli(parameters, { environment: stack.environment });
const sessions = async () => (await project.sessions()).map(({ feature, status }) => `${feature} ${status}`);

inOrder(
  'a folder with files is refused without --adopt; two starts in it at once make one project, which start options reach',
  async () => {
    const letters = join(folder, 'letters');
    mkdirSync(letters);
    writeFileSync(join(letters, 'README.md'), '# Letters\n');
    const goalFile = join(stack.home, 'goal.md');
    writeFileSync(goalFile, 'One more letter.\n');
    const start = (...options: string[]) =>
      longhaul('start', '--file', goalFile, '--name', name, '--dir', letters, '--json', ...options);
    expect(await start()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--adopt') });
    expect(readdirSync(letters)).toEqual(['README.md']);

    const limits = [
      '--max-sessions',
      '1',
      '--max-attempts',
      '1',
      '--network',
      'packages,*.example.org',
      '--minutes',
      '60',
    ];
    const models = ['--model', 'openai/usual', '--model', 'code=openai/coder'];
    const options = ['--adopt', '--detach', '--image', 'letters:2', ...limits, ...models];
    const both = await Promise.all([start(...options), start(...options)]);
    const [made, refused] = both.sort((one, other) => one.exitCode - other.exitCode);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('belongs to') });
    expect({ ...made, stdout: JSON.parse(made?.stdout ?? '') }).toMatchObject({
      exitCode: 0, // 3 if it had waited for the project, which comes to rest
      stdout: { project: expect.stringMatching(/^project-letters-/), folder: letters },
    });
    project = await stack.longhaul.project(name);
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
    expect(await sessions()).toEqual(['first PASSED']);
    expect(await project.settings()).toMatchObject({
      maxSessions: 1,
      maxAttempts: 1,
      budgets: { project: { minutes: 60 } },
    });
    const modelsOf = async (run: string) => (await project.transcript(run)).usage.map(({ model }) => model);
    expect(await modelsOf('init')).toEqual(['openai/usual', 'openai/usual']);
    expect(await modelsOf('s1-work')).toEqual(Array(3).fill('openai/coder'));
    const opened = stack.sandboxes.opened.filter(({ owner }) => owner.project === project.id);
    expect(opened.find(({ owner }) => owner.purpose === 'session')).toMatchObject({ image: 'letters:2' });
    git = gitIn(letters);
    expect(git('rev-list', '--count', 'HEAD')).toBe('3');
    expect(git('show', 'HEAD~2:README.md')).toBe('# Letters'); // committed as its person's first commit, below the plan
  },
);

inOrder('a steering message without a running agent waits for the next one', async () => {
  expect(await longhaul('steer', name, 'Mind the gap.')).toMatchObject({
    exitCode: 0,
    stdout: 'Stored: the next agent reads it before its first turn, since none is running.\n',
  });
});

inOrder('two sessions requested at once work on different features, and the first reads the message', async () => {
  const both = await Promise.all([longhaul('session', name), longhaul('session', name)]);
  expect(both).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  expect(await sessions()).toEqual(['first PASSED', 'second PASSED', 'third PASSED']);
});

inOrder('a completed project takes no steering message', async () => {
  expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
  expect(await longhaul('steer', name, 'Too late.')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is COMPLETED, so there is nothing to steer'),
  });
});

inOrder('two reverts at once leave branch and features consistent', async () => {
  const both = await Promise.all([longhaul('revert', name, 'c0'), longhaul('revert', name, 'c1')]);
  expect(both).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  const passing = (await project.features()).filter(({ status }) => status === 'PASSING').map(({ name }) => name);
  const { reason } = await project.status();
  // Whichever came last.
  const last = reason?.includes('c0') ? { passing: [], commits: '2' } : { passing: ['first'], commits: '3' };
  expect({ passing, commits: git('rev-list', '--count', 'HEAD') }).toEqual(last);
  expect(git('status', '--porcelain')).toBe('');
});

inOrder('pauses and resumes from several terminals leave a usable project', async () => {
  await project.revert({ checkpoint: 'c0' }); // the second feature's script expects a message that was read once
  const commands = ['resume', 'pause', 'resume', 'pause'];
  const steered = await Promise.all(commands.map((command) => longhaul(command, name)));
  expect(steered.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  // It may still show the last pause when the resume returns.
  do {
    await project.resume();
    await project.waitForEnd({ orRest: true });
  } while ((await sessions())[3]?.endsWith('PASSED') !== true);
});

inOrder('a following terminal shows that another abandoned the project', async () => {
  await project.revert({ checkpoint: 'c0' });
  const followed = longhaul('log', '-f', name);
  const both = await Promise.all([longhaul('abandon', name), longhaul('abandon', name)]);
  expect(both).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  expect((await followed).stdout).toContain('project ABANDONED');
});
