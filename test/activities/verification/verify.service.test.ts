import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../../activities/verification/verify.ts';
import { readVerifications } from '../../../db/project/verifications.ts';
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
  const { projectId, sessionId, commitFiles } = await begun.begin({
    isOpen: false,
    setUp: 'echo set up >>~/set-up\n',
    commands: [
      'echo begun >>~/begun; until [ -e ~/go ]; do sleep 0.1; done; cat ~/set-up ~/begun; test "$(cat ~/set-up ~/begun | wc -l)" = 2',
    ],
  });
  const commit = await commitFiles({ 'work.txt': 'work\n' });
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

test('each step of a verification begins with the files of the set-up, in which protected files are as a checkout writes them, and without what an earlier one left', async () => {
  const { projectId, sessionId, commitFiles } = await begun.begin({
    isOpen: false,
    setUp: 'echo set up >~/set-up; echo more >>tests-of-mine.txt\n',
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
    },
  });
  const commit = await commitFiles({ 'work.txt': 'work\n' });
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  expect(await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }))).toEqual({
    passed: true,
    reason: '3 of 3 verification steps passed.',
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

test('mistakes in passed work are tried on its checks beside the verdict, of which there is one although a worker dies meanwhile', async () => {
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
  expect(await verdicts()).toMatchObject([{ passed: true, mutants: { tried: 1, noticed: 1, missed: [] } }]);
});

test('work that changes the set-up script or a locked package does not pass, and the agent reads how to ask for it', async () => {
  const files = { 'requirements.txt': 'pytest==8.1\n' };
  const { projectId, sessionId, commitFiles } = await begun.begin({ files, isOpen: false });
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verify = async (work: Record<string, string>, landing: number) => {
    const commit = await commitFiles(work);
    return inActivity(() => verifyFeature({ projectId, sessionId, commit, landing }));
  };
  expect(await verify({ 'init.sh': 'exit 0\n' }, 1)).toMatchObject({
    passed: false,
    reason: expect.stringContaining('end with request_change'),
  });
  expect(await verify({ 'requirements.txt': 'pytest==8.2\n' }, 2)).toMatchObject({
    passed: false,
    reason: expect.stringContaining('requirements.txt locks: pytest==8.1'),
  });
  expect(await verify({ 'requirements.txt': 'pytest==8.1\nrich==13.0\n' }, 3)).toMatchObject({ passed: true });
});

test('work may change the set-up script and locked packages where a person allows it, and is set up by that script', async () => {
  const { projectId, sessionId, commitFiles } = await begun.begin({
    commands: ['grep -q there ~/tool'],
    files: { 'requirements.txt': 'pytest==8.1\n' },
    allowed: ['init.sh', 'requirements.txt'],
    isOpen: false,
  });
  const commit = await commitFiles({ 'init.sh': 'echo there >~/tool\n', 'requirements.txt': 'pytest==8.2\n' });
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }));
  expect(verdict).toMatchObject({ passed: true });
});

test('work fails if what the set-up script runs changes, removes or adds protected files', async () => {
  const { projectId, sessionId, commitFiles } = await begun.begin({
    isOpen: false,
    setUp: '[ ! -e trick ] || eval "$(cat trick)"\n',
    commands: ['sh tests/one.sh'],
    protectedPaths: ['tests', 'tests/deep er'],
    files: { 'tests/one.sh': 'cat trick\n', "tests/deep er/it's\n\\.txt": 'kept\n' },
  });
  const tricks = {
    'echo true >tests/one.sh': 'tests/one.sh: FAILED',
    'echo true >tests/two.sh': 'files in protected folders, which must not change: ./tests/two.sh',
    'mv tests/deep\\ er deep; ln -s ../deep tests/deep\\ er; touch deep/four': 'must not change: ./tests/deep er',
  };
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  let landing = 0;
  for (const [trick, complaint] of Object.entries(tricks)) {
    landing += 1;
    const commit = await commitFiles({ trick });
    const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing }));
    expect({ trick, ...verdict }).toEqual({ trick, passed: false, reason: expect.stringContaining(complaint) });
  }
});
