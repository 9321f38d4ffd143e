import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCommandLine } from '../support/command-line.ts';
import { proposal, smallProject } from '../support/scripts.ts';
import { gitIn } from '../support/side-by-side.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

const features = [{ name: 'first' }, { name: 'second' }, { name: 'third' }];
let stack: TestStack;
let featuresFile: string;

beforeAll(async () => {
  stack = await startTestStack({ script: smallProject(features) });
  featuresFile = join(stack.home, 'features.json');
  writeFileSync(featuresFile, JSON.stringify(proposal(features)));
}, 120_000);
afterAll(() => stack?.stop(), 30_000);

const longhaul = (...parameters: string[]) => startCommandLine(stack.environment, ...parameters).ended;

/** A project that waits after as many sessions. */
async function projectAtRest(name: string, maxSessions: number): Promise<string> {
  const folder = join(stack.home, name);
  const limits = ['--max-sessions', String(maxSessions), '--features', featuresFile];
  const started = await longhaul('start', 'Three files.', '--name', name, '--dir', folder, ...limits);
  expect(started).toMatchObject({ code: 3 });
  return folder;
}

test('two starts in one folder at once would make two projects of it', async () => {
  const folder = join(stack.home, 'shared');
  const parameters = ['start', 'Three files.', '--dir', folder, '--features', featuresFile];
  const both = await Promise.all([longhaul(...parameters), longhaul(...parameters)]);
  const [done, refused] = both.sort((one, other) => (one.code ?? 0) - (other.code ?? 0));
  expect(done).toMatchObject({ code: 0 });
  expect(refused).toMatchObject({ code: 2, output: expect.stringContaining('belongs to') });
  expect(gitIn(folder)('rev-list', '--count', 'HEAD')).toBe('4');
}, 120_000);

test('two sessions asked for at once would work on the same feature', async () => {
  await projectAtRest('asked', 1);
  const both = await Promise.all([longhaul('session', 'asked'), longhaul('session', 'asked')]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  const project = await stack.longhaul.project('asked');
  const sessions = await project.sessions();
  expect(sessions.map(({ feature, status }) => `${feature} ${status}`)).toEqual([
    'first PASSED',
    'second PASSED',
    'third PASSED',
  ]);
}, 120_000);

test('two reverts at once would leave a branch that does not fit its features', async () => {
  const folder = await projectAtRest('reverted', 2);
  const git = gitIn(folder);
  const both = await Promise.all([longhaul('revert', 'reverted', 'c0'), longhaul('revert', 'reverted', 'c1')]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  const project = await stack.longhaul.project('reverted');
  const passing = (await project.features()).filter(({ status }) => status === 'PASSING').map(({ name }) => name);
  const { reason } = await project.status();
  // Whichever came last, branch and features are that checkpoint's.
  const last = reason?.includes('c0') ? { passing: [], commits: '1' } : { passing: ['first'], commits: '2' };
  expect({ passing, commits: git('rev-list', '--count', 'HEAD') }).toEqual(last);
  expect(git('status', '--porcelain')).toBe('');
}, 120_000);

test('pauses and resumes from several terminals would leave a project that no one can move', async () => {
  await projectAtRest('steered', 1);
  const commands = ['resume', 'pause', 'resume', 'pause'];
  const steered = await Promise.all(commands.map((command) => longhaul(command, 'steered')));
  expect(steered.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const project = await stack.longhaul.project('steered');
  await project.resume();
  while ((await project.waitForEnd({ orRest: true })).status === 'WAITING') await project.resume(); // one session each
  expect(await project.status()).toMatchObject({ status: 'COMPLETED' });
}, 120_000);

test('a terminal that follows a project would not hear that another abandoned it', async () => {
  await projectAtRest('abandoned', 1);
  const followed = longhaul('log', '-f', 'abandoned');
  const both = await Promise.all([longhaul('abandon', 'abandoned'), longhaul('abandon', 'abandoned')]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect((await followed).output).toContain('project ABANDONED');
}, 120_000);
