import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import { startCommandLine } from '../../support/stack/command-line.ts';
import { call, proposal } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { gitIn, scriptOf, sessionsOf } from '../../support/stack/side-by-side.ts';

const features = [{ name: 'first' }, { name: 'second' }, { name: 'third' }];

// The only project with a planning run; it is started with many options, and its first attempt fails.
const letters = [
  {
    name: 'reply',
    attempts: [
      [
        call('run_command', { command: 'look around' }),
        { ...call('git_log'), expect: ['["packages","*.example.org"]'] },
      ],
    ],
  },
  { name: 'envelope' },
];
const initializer = {
  role: 'initializer',
  turns: [
    { ...call('list_files'), expect: ['One more letter.', 'It already has files'] },
    { ...call('propose_project', proposal(letters)), expect: ['README.md'] },
  ],
};

/** The project that several terminals act on, one test after the other. */
const name = 'shared';
let project: ProjectHandle;
let stack: ServiceStack;
let featuresFile: string;
/** Not below a folder where projects may be without a request of `longhaul start`. */
const folders = mkdtempSync(join(tmpdir(), 'longhaul-command-lines-'));

beforeAll(async () => {
  const way = ({ sandbox }: { sandbox: string }) => JSON.stringify(stack.sandboxes.networkOf(sandbox)?.policy);
  stack = await startServiceStack({
    commands: [{ match: 'look around', result: (command) => ({ output: way(command) }) }],
    script: { entries: [initializer, ...scriptOf({ given: { features }, planned: { features: letters } }).entries] },
  });
  featuresFile = join(stack.home, 'features.json');
  writeFileSync(featuresFile, JSON.stringify(proposal(features)));
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folders, { recursive: true, force: true });
});

const longhaul = (...parameters: string[]) => startCommandLine(stack.environment, ...parameters).ended;

const folderOf = (name: string) => join(folders, name);

test('a folder with files is refused without --adopt, and start options reach the project', async () => {
  const folder = folderOf('letters');
  mkdirSync(folder);
  writeFileSync(join(folder, 'README.md'), '# Letters\n');
  const goalFile = join(stack.home, 'goal.md');
  writeFileSync(goalFile, 'One more letter.\n');
  const start = (...options: string[]) =>
    longhaul('start', '--file', goalFile, '--name', 'Letters', '--dir', folder, '--json', ...options);
  expect(await start()).toMatchObject({ code: 2, output: expect.stringContaining('--adopt') });
  expect(readdirSync(folder)).toEqual(['README.md']);

  const limits = ['--max-sessions', '1', '--max-attempts', '1', '--network', 'packages,*.example.org'];
  const models = ['--model', 'openai/usual', '--model', 'code=openai/coder'];
  const { code, output } = await start('--adopt', '--detach', '--image', 'letters:2', ...limits, ...models);
  expect({ code, answer: JSON.parse(output) }).toEqual({
    code: 0, // 3 if it had waited for the project, which comes to rest
    answer: { project: expect.stringMatching(/^project-letters-/), folder },
  });
  const project = await stack.longhaul.project('Letters');
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  expect(await sessionsOf(project)).toEqual(['reply 1 FAILED']);
  expect(await project.features()).toMatchObject([
    { name: 'reply', status: 'BLOCKED' },
    { name: 'envelope', status: 'NOT_STARTED' },
  ]);
  const modelsOf = async (run: string) => (await project.transcript(run)).usage.map(({ model }) => model);
  expect(await modelsOf('init')).toEqual(['openai/usual', 'openai/usual']);
  expect(await modelsOf('s1-work')).toEqual(Array(3).fill('openai/coder'));
  const opened = stack.sandboxes.opened.filter(({ owner }) => owner.project === project.id);
  expect(opened.find(({ owner }) => owner.purpose === 'session')).toMatchObject({ image: 'letters:2' });
  expect(gitIn(folder)('show', 'HEAD~1:README.md')).toBe('# Letters'); // committed as its person's first commit, below the plan
});

test('two starts in one folder at once make one project', async () => {
  const limits = ['--max-sessions', '1', '--features', featuresFile];
  const parameters = ['start', 'Three files.', '--name', name, '--dir', folderOf(name), ...limits];
  const both = await Promise.all([longhaul(...parameters), longhaul(...parameters)]);
  const [refused, rests] = both.sort((one, other) => (one.code ?? 0) - (other.code ?? 0));
  expect(rests).toMatchObject({ code: 3 });
  expect(refused).toMatchObject({ code: 2, output: expect.stringContaining('belongs to') });
  expect(gitIn(folderOf(name))('rev-list', '--count', 'HEAD')).toBe('2');
  project = await stack.longhaul.project(name);
});

test('pauses and resumes from several terminals leave a usable project', async () => {
  const commands = ['resume', 'pause', 'resume', 'pause'];
  const steered = await Promise.all(commands.map((command) => longhaul(command, name)));
  expect(steered.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  // It rests after each session, and may still show the last pause when the resume returns.
  do await project.resume();
  while ((await project.waitForEnd({ orRest: true })).status !== 'COMPLETED');
  expect(await project.status()).toMatchObject({ status: 'COMPLETED' });
});

test('two reverts at once leave branch and features consistent', async () => {
  const git = gitIn(folderOf(name));
  const both = await Promise.all([longhaul('revert', name, 'c0'), longhaul('revert', name, 'c1')]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  const passing = (await project.features()).filter(({ status }) => status === 'PASSING').map(({ name }) => name);
  const { reason } = await project.status();
  // Whichever came last.
  const last = reason?.includes('c0') ? { passing: [], commits: '1' } : { passing: ['first'], commits: '2' };
  expect({ passing, commits: git('rev-list', '--count', 'HEAD') }).toEqual(last);
  expect(git('status', '--porcelain')).toBe('');
});

test('two sessions requested at once work on different features', async () => {
  await project.revert({ checkpoint: 'c1' });
  const both = await Promise.all([longhaul('session', name), longhaul('session', name)]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  const sessions = await project.sessions();
  expect(sessions.slice(-2).map(({ feature, status }) => `${feature} ${status}`)).toEqual([
    'second PASSED',
    'third PASSED',
  ]);
});

test('a following terminal shows that another abandoned the project', async () => {
  await project.revert({ checkpoint: 'c0' });
  const followed = longhaul('log', '-f', name);
  const both = await Promise.all([longhaul('abandon', name), longhaul('abandon', name)]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect((await followed).output).toContain('project ABANDONED');
});
