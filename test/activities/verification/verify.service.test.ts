import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../../activities/verification/verify.ts';
import { findVerification, readVerifications } from '../../../db/project/verifications.ts';
import { waitFor } from '../../sandbox/test-sandboxes.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { createDeath, inActivity } from '../../support/work/in-activity.ts';
import { docker } from '../../support/work/sandboxes-of.ts';

type Session = Awaited<ReturnType<typeof begun.begin>>;

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
/** Its set-up does what a file of the work says. */
let guarded: Session;
beforeAll(async () => {
  begun = await createBegunSessions();
  guarded = await begun.begin({
    isOpen: false,
    setUp: 'echo set up >~/set-up; echo more >>tests-of-mine.txt; [ ! -e trick ] || eval "$(cat trick)"\n',
    commands: [
      'cat ~/set-up; echo changed | tee work.txt ~/set-up /tmp/left; (sleep 600 </dev/null >/dev/null 2>&1 &)',
      'grep -qx work work.txt && grep -qx "set up" ~/set-up && [ ! -e /tmp/left ] && ! pgrep -f "sleep 60[0]"',
      'grep -q "$(printf "\\r")" tests/one.txt',
    ],
    protectedPaths: ['tests', 'tests/deep er'],
    files: {
      '.gitattributes': 'tests/*.txt text eol=crlf\n',
      'tests/one.txt': 'kept\n',
      "tests/deep er/it's\n\\.txt": 'kept\n',
      'tests-of-mine.txt': 'mine\n',
      'requirements.txt': 'pytest==8.1\n',
    },
  });
});
afterAll(() => begun?.stop());

let landings = 0;
async function verify({ projectId, sessionId }: Session, commit: string, { landing = ++landings, attempt = 1 } = {}) {
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  return inActivity(() => verifyFeature({ projectId, sessionId, commit, landing }), { info: { attempt } });
}

test('a verification whose worker dies, in a step or while mistakes are tried on the work, begins anew in fresh containers and leaves one verdict', async () => {
  const untilLetGo = 'until [ -e ~/go ]; do sleep 0.1; done';
  const { projectId, sessionId, commitFiles } = await begun.begin({
    isOpen: false,
    setUp: 'echo set up >>~/set-up\n',
    commands: [
      `[ "$(python3 -c "from sums import add; print(add(2, 3))")" = 5 ] || { touch ~/noticed; ${untilLetGo}; exit 1; }
echo begun >>~/begun; ${untilLetGo}; cat ~/set-up ~/begun; (test "$(cat ~/set-up ~/begun | wc -l)" = 2)`,
    ],
  });
  const commit = await commitFiles({ 'sums.py': 'def add(a, b):\n    return a + b\n' });
  const agents = { ...begun.dependencies.agents, mutationSeconds: 60 };
  const { verifyFeature } = createVerifyActivities({ ...begun.dependencies, agents });
  const begin = () => {
    const { dies, die } = createDeath();
    return { die, verdict: inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }), { dies }) };
  };
  const verdicts = () => readVerifications(begun.dependencies.database, `${projectId}/one`, { sessionId });
  const fork = `longhaul-${sessionId}-v1-step`;
  const container = () => docker(undefined, 'inspect', '--format={{.Id}}', fork);
  // Bypasses the sandbox API, whose look would start a sandbox that happens to be stopped.
  const inside = (...command: string[]) => docker(undefined, 'exec', fork, ...command).catch(() => '');
  let earlier = '';
  /** Waits until a container that was not there before has this file. */
  const reach = async (file: string) => {
    await waitFor(
      async () =>
        (await container().catch(() => earlier)) !== earlier && (await inside('ls', '/home/agent')).includes(file),
    );
    earlier = await container();
  };
  const letGo = () => inside('touch', '/home/agent/go');

  const inStep = begin();
  await reach('begun');
  inStep.die();
  await expect(inStep.verdict).rejects.toThrow('The worker let go.');

  const inMistake = begin();
  await reach('begun');
  await letGo();
  await reach('noticed');
  inMistake.die();
  await expect(inMistake.verdict).rejects.toThrow('The worker let go.');
  expect(await verdicts()).toEqual([]);

  const { verdict } = begin();
  for (const file of ['begun', 'noticed']) {
    await reach(file);
    await letGo();
  }
  const passed = { passed: true, reason: '1 of 1 verification steps passed.' };
  expect(await verdict).toEqual(passed);
  const left = await begun.host.sandboxes.list();
  expect(left.filter(({ name }) => name.startsWith(`${sessionId}-v1`))).toEqual([]);
  expect(await begin().verdict).toEqual(passed);
  expect(await verdicts()).toMatchObject([{ passed: true, mutants: { tried: 1, noticed: 1, missed: [] } }]);
});

test('a verification whose worker dies while spoiled checks run begins anew and leaves one verdict', async () => {
  const path = 'tests/check.sh';
  const { projectId, sessionId, commitFiles } = await begun.begin({
    isOpen: false,
    commands: [`sh ${path}`],
    protectedPaths: [path],
    files: {
      [path]: '[ "$(sh sums.sh 2 3)" = 5 ] || { touch ~/failed; until [ -e ~/go ]; do sleep 0.1; done; exit 1; }\n',
    },
  });
  const commit = await commitFiles({ 'sums.sh': 'echo $(($1 + $2))\n' });
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const begin = (dies?: Promise<never>) =>
    inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }), dies && { dies });
  const seen = new Set<string>();
  /** Waits until a container that was not seen before runs the check spoiled, and returns its id. */
  const reachSpoiled = async () => {
    let found = '';
    await waitFor(async () => {
      for (const fork of ['step', 'step1']) {
        const id = await docker(undefined, 'inspect', '--format={{.Id}}', `longhaul-${sessionId}-v1-${fork}`).catch(
          () => '',
        );
        const files =
          id && !seen.has(id) ? await docker(undefined, 'exec', id, 'ls', '/home/agent').catch(() => '') : '';
        if (files.includes('failed')) found = id;
      }
      return found !== '';
    });
    seen.add(found);
    return found;
  };

  const { dies, die } = createDeath();
  const first = begin(dies);
  await reachSpoiled();
  die();
  await expect(first).rejects.toThrow('The worker let go.');

  const second = begin();
  await docker(undefined, 'exec', await reachSpoiled(), 'touch', '/home/agent/go');
  expect(await second).toEqual({ passed: true, reason: '1 of 1 verification steps passed.' });
  const verdicts = await readVerifications(begun.dependencies.database, `${projectId}/one`, { sessionId });
  expect(verdicts).toMatchObject([{ passed: true, steps: [{ spoiled: { files: [path], exitCode: 1 } }] }]);
});

test('each step of a verification begins with the files of the set-up, in which protected files are as a checkout writes them, and without what an earlier one left; a package may be added', async () => {
  const requirements = 'pytest==8.1\nrich==13.0\n';
  const commit = await guarded.commitFiles({ 'work.txt': 'work\n', 'requirements.txt': requirements });
  expect(await verify(guarded, commit)).toEqual({ passed: true, reason: '3 of 3 verification steps passed.' });
});

test('work that changes the set-up script or a locked package does not pass, and the agent reads how to ask for it', async () => {
  const changes = [
    [{ 'init.sh': 'exit 0\n' }, 'end with request_change'],
    [{ 'requirements.txt': 'pytest==8.2\n' }, 'requirements.txt locks: pytest==8.1'],
  ] as const;
  for (const [change, told] of changes)
    expect(await verify(guarded, await guarded.commitFiles(change))).toEqual({
      passed: false,
      reason: expect.stringContaining(told),
    });
});

test('work fails if what the set-up script runs changes, replaces or adds protected files', async () => {
  const tricks = {
    'echo true >tests/one.txt': ['tests/one.txt: FAILED'],
    'echo true >tests/two.sh; mv tests/deep\\ er deep; ln -s ../deep tests/deep\\ er; touch deep/four': [
      'files in protected folders, which must not change: ./tests/deep er',
      './tests/two.sh',
    ],
  };
  for (const [trick, complaints] of Object.entries(tricks)) {
    const { passed, reason } = await verify(guarded, await guarded.commitFiles({ trick }));
    expect(passed).toBe(false);
    for (const complaint of complaints) expect(reason).toContain(complaint);
  }
});

test('work may change the set-up script and locked packages where a person allows it, and is set up by that script', async () => {
  const session = await begun.begin({
    commands: ['grep -q there ~/tool'],
    files: { 'requirements.txt': 'pytest==8.1\n' },
    allowed: ['init.sh', 'requirements.txt'],
    isOpen: false,
  });
  const files = { 'init.sh': 'echo there >~/tool\n', 'requirements.txt': 'pytest==8.2\n' };
  expect(await verify(session, await session.commitFiles(files))).toMatchObject({ passed: true });
});

test('a set-up that passed before the work and now fails, as without network, is tried again before the work fails', async () => {
  const session = await begun.begin({ setUp: '[ ! -e work.txt ]\n' });
  const commit = await session.commitFiles({ 'work.txt': 'work\n' });
  await expect(verify(session, commit, { landing: 1 })).rejects.toMatchObject({
    type: 'SandboxUnavailable',
    nonRetryable: false,
    nextRetryDelay: 30_000,
  });
  expect(await begun.host.sandboxes.find(`${session.sessionId}-v1`)).toBeUndefined();
  expect(await verify(session, commit, { landing: 1, attempt: 4 })).toMatchObject({
    passed: false,
    reason: expect.stringContaining('init.sh'),
  });
});

test('of a sealed check that fails the agents read the requirement, and nothing else; work that meets it passes', async () => {
  const requirement = 'It greets everyone.';
  const content = '#!/bin/sh\necho "$1 was not greeted."\ngrep -qx "Hello, $1" greetings.txt\n';
  const sealed = [{ requirement, command: './secret/check.sh Eve', files: [{ path: 'secret/check.sh', content }] }];
  const session = await begun.begin({ commands: ['grep -qx "Hello, Ada" greetings.txt'], sealed });
  const seen = JSON.stringify(await session.call(1, 'ls -R . ~; git log --all --stat'));
  const verifyGreetings = async (greetings: string, landing: number, others: Record<string, string> = {}) => {
    const commit = await session.commitFiles({ 'greetings.txt': greetings, ...others });
    const verdict = await verify(session, commit, { landing });
    const row = await findVerification(begun.dependencies.database, `${session.sessionId}-v${landing}`);
    return { verdict, steps: row?.steps ?? [] };
  };
  const failed = await verifyGreetings('Hello, Ada\n', 1);
  expect(failed.verdict).toEqual({
    passed: false,
    reason: `A check that is sealed failed (exited). It requires: ${requirement}`,
  });
  const [, { sealed: hidden, ...shown } = {}] = failed.steps;
  expect(shown).toMatchObject({ description: requirement, command: 'sealed', output: '', passed: false });
  expect(hidden).toMatchObject({ command: './secret/check.sh Eve', output: 'Eve was not greeted.\n' });
  expect(seen).toContain('init.sh');
  expect(`${seen} ${JSON.stringify(shown)}`).not.toMatch(/secret|Eve/);

  const { verdict, steps } = await verifyGreetings('Hello, Ada\nHello, Eve\n', 2);
  expect(verdict).toEqual({ passed: true, reason: '2 of 2 verification steps passed.' });
  // The check fails once it is spoiled.
  expect(steps[1]).toMatchObject({ passed: true, spoiled: { files: ['secret/check.sh'], exitCode: 1 } });

  // A file of the work where the check's folder is to be gives way.
  const blocked = await verifyGreetings('Hello, Ada\n', 3, { secret: 'mine\n' });
  expect(blocked.verdict).toMatchObject({ passed: false, reason: expect.stringContaining(requirement) });
});
