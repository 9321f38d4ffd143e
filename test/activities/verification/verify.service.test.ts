import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../../activities/verification/verify.ts';
import { findVerification, readVerifications, verificationId } from '../../../db/project/verifications.ts';
import { waitFor } from '../../sandbox/test-sandboxes.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { createDeath, inActivity } from '../../support/work/in-activity.ts';
import { docker } from '../../support/work/sandboxes-of.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

test('a verification whose worker dies begins anew in fresh containers', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    setUp: 'echo set up >>~/set-up\n',
    commands: [
      'echo begun >>~/begun; until [ -e ~/go ]; do sleep 0.1; done; cat ~/set-up ~/begun; test "$(cat ~/set-up ~/begun | wc -l)" = 2',
    ],
  });
  await call(1, 'echo work >work.txt');
  const { commit = '' } = await commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verify = () => verifyFeature({ projectId, sessionId, commit, landing: 1 });
  const fork = `longhaul-${sessionId}-v1-step`;
  // Bypasses the sandbox API, whose look would start a sandbox that happens to be stopped.
  const inside = (...command: string[]) => docker(undefined, 'exec', fork, ...command).catch(() => undefined);

  const { dies, die } = createDeath();
  const first = inActivity(verify, { dies });
  await waitFor(async () => (await inside('cat', '/home/agent/begun')) === 'begun');
  die();
  await expect(first).rejects.toThrow('The worker let go.');

  const earlier = await docker(undefined, 'inspect', '--format={{.Id}}', fork);
  const second = inActivity(verify);
  await waitFor(async () => {
    const now = await docker(undefined, 'inspect', '--format={{.Id}}', fork).catch(() => earlier);
    return now !== earlier && (await inside('cat', '/home/agent/begun')) === 'begun';
  });
  await inside('touch', '/home/agent/go');
  expect(await second).toEqual({ passed: true, reason: '1 of 1 verification steps passed.' });
  const left = await begun.host.sandboxes.list();
  expect(left.filter(({ name }) => name.startsWith(`${sessionId}-v1`))).toEqual([]);
});

test('each step of a verification begins with the files of the set-up, and without what an earlier one left', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    setUp: 'echo set up >~/set-up\n',
    commands: [
      'cat ~/set-up; echo changed | tee work.txt ~/set-up /tmp/left; (sleep 600 </dev/null >/dev/null 2>&1 &)',
      'grep -qx work work.txt && grep -qx "set up" ~/set-up && [ ! -e /tmp/left ] && ! pgrep -f "sleep 60[0]"',
    ],
  });
  await call(1, 'echo work >work.txt');
  const { commit = '' } = await commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  expect(await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }))).toEqual({
    passed: true,
    reason: '2 of 2 verification steps passed.',
  });
});

test('a set-up that fails without network is tried again before the work fails', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    setUp: '[ -e work.txt ] || exit 0; until [ -s ~/network ]; do sleep 0.1; done; grep -q there ~/network\n',
  });
  await call(1, 'echo work >work.txt');
  const { commit = '' } = await commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const inside = (name: string, script: string) => docker(undefined, 'exec', name, 'bash', '-c', script);
  const verify = async (landing: number, attempt: number, network: string) => {
    const name = `longhaul-${sessionId}-v${landing}`;
    const verdict = inActivity(() => verifyFeature({ projectId, sessionId, commit, landing }), { info: { attempt } });
    verdict.catch(() => {}); // until it is awaited
    const script = `echo ${network} >~/network`;
    await waitFor(async () => (await inside(name, script).catch(() => undefined)) !== undefined);
    return verdict;
  };
  await expect(verify(1, 1, 'away')).rejects.toMatchObject({
    type: 'SandboxUnavailable',
    nonRetryable: false,
    nextRetryDelay: 30_000,
  });
  expect(await begun.host.sandboxes.find(`${sessionId}-v1`)).toBeUndefined();
  expect(await verify(1, 2, 'there')).toMatchObject({ passed: true });
  // Work that breaks the set-up is told so in the end.
  expect(await verify(2, 4, 'away')).toMatchObject({ passed: false, reason: expect.stringContaining('init.sh') });
});

test('mistakes in passed work are tried on its checks, which is recorded beside the verdict', async () => {
  const { projectId, sessionId, commitFiles } = await begun.begin({
    commands: ['python3 -c "from sums import add; assert add(2, 3) == 5"'],
    isOpen: false,
  });
  const commit = await commitFiles({ 'sums.py': 'def add(a, b):\n    return a + b\n' });
  const agents = { ...begun.dependencies.agents, mutationSeconds: 60 };
  const { verifyFeature } = createVerifyActivities({ ...begun.dependencies, agents });
  expect(await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }))).toMatchObject({
    passed: true,
  });
  const recorded = await findVerification(begun.dependencies.database, verificationId({ sessionId, landing: 1 }));
  expect(recorded?.mutants).toEqual({ tried: 1, noticed: 1, missed: [] });
});

test('a worker that dies while mistakes are tried leaves no verdict, and the next attempt leaves one', async () => {
  const { projectId, sessionId, commitFiles } = await begun.begin({
    commands: [
      '[ "$(python3 -c "from sums import add; print(add(2, 3))")" = 5 ] && exit; touch ~/noticed; sleep 3; exit 1',
    ],
    isOpen: false,
  });
  const commit = await commitFiles({ 'sums.py': 'def add(a, b):\n    return a + b\n' });
  const agents = { ...begun.dependencies.agents, mutationSeconds: 60 };
  const { verifyFeature } = createVerifyActivities({ ...begun.dependencies, agents });
  const verify = () => verifyFeature({ projectId, sessionId, commit, landing: 1 });
  const verdicts = () => readVerifications(begun.dependencies.database, `${projectId}/one`, { sessionId });
  const { dies, die } = createDeath();
  const first = inActivity(verify, { dies });
  const inside = (...command: string[]) => docker(undefined, 'exec', `longhaul-${sessionId}-v1-step`, ...command);
  await waitFor(async () => (await inside('ls', '/home/agent').catch(() => '')).includes('noticed'));
  die();
  await expect(first).rejects.toThrow('The worker let go.');
  expect(await verdicts()).toEqual([]);
  expect(await inActivity(verify)).toMatchObject({ passed: true });
  expect(await inActivity(verify)).toMatchObject({ passed: true });
  expect(await verdicts()).toMatchObject([{ passed: true, mutants: { tried: 1, noticed: 1 } }]);
});

test('work that changes the set-up script does not pass', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin();
  await call(1, 'echo exit 0 >init.sh');
  const { commit = '' } = await commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }));
  expect(verdict).toMatchObject({
    passed: false,
    reason: expect.stringContaining('end with request_change'),
  });
});

test('work may change the set-up script where a person allows it, and is set up by it', async () => {
  const { projectId, sessionId, commitFiles } = await begun.begin({
    commands: ['grep -q there ~/tool'],
    allowed: ['init.sh'],
    isOpen: false,
  });
  const commit = await commitFiles({ 'init.sh': 'echo there >~/tool\n' });
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }));
  expect(verdict).toMatchObject({ passed: true });
});

test('work may add locked packages, but not change them unless a person allows it', async () => {
  const verify = async (changed: string, allowed: string[] = []) => {
    const files = { 'requirements.txt': 'pytest==8.1\n' };
    const { projectId, sessionId, commitFiles } = await begun.begin({ files, allowed, isOpen: false });
    const commit = await commitFiles({ 'requirements.txt': changed });
    const { verifyFeature } = createVerifyActivities(begun.dependencies);
    return inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }));
  };
  expect(await verify('pytest==8.1\nrich==13.0\n')).toMatchObject({ passed: true });
  expect(await verify('pytest==8.2\n', ['requirements.txt'])).toMatchObject({ passed: true });
  expect(await verify('pytest==8.2\n')).toMatchObject({
    passed: false,
    reason: expect.stringContaining('requirements.txt locks: pytest==8.1'),
  });
});

test('work fails if what the set-up script runs changes, removes or adds protected files', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    setUp: '[ ! -e trick ] || eval "$(cat trick)"\n',
    commands: ['sh tests/one.sh'],
    protectedPaths: ['tests', 'tests/deep er'],
    files: { 'tests/one.sh': 'cat trick\n', "tests/deep er/it's\n\\.txt": 'kept\n', 'tests-of-mine.txt': 'mine\n' },
  });
  const tricks = {
    'echo more >>tests-of-mine.txt': undefined,
    'echo true >tests/one.sh': 'tests/one.sh: FAILED',
    'echo true >tests/two.sh': 'files in protected folders, which must not change: ./tests/two.sh',
    'mv tests/deep\\ er deep; ln -s ../deep tests/deep\\ er; touch deep/four': 'must not change: ./tests/deep er',
  };
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  let landing = 0;
  for (const [trick, complaint] of Object.entries(tricks)) {
    landing += 1;
    await call(landing, `cat >trick <<'END'\n${trick}\nEND`);
    const { commit = '' } = await commitWork();
    const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing }));
    expect({ trick, ...verdict }).toMatchObject({ trick, passed: complaint === undefined });
    if (complaint) expect(verdict.reason).toContain(complaint);
  }
});

test('protected files are intact although a checkout changes their line ends', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    commands: ['grep -q "$(printf "\\r")" tests/one.txt'],
    protectedPaths: ['tests'],
    files: { '.gitattributes': '*.txt text eol=crlf\n', 'tests/one.txt': 'kept\n' },
  });
  await call(1, 'echo work >work.txt');
  const { commit = '' } = await commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  expect(await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }))).toEqual({
    passed: true,
    reason: '1 of 1 verification steps passed.',
  });
});
