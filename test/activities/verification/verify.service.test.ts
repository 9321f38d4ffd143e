import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../../activities/verification/verify.ts';
import { waitFor } from '../../sandbox/test-sandboxes.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { inActivity } from '../../support/work/in-activity.ts';
import { docker } from '../../support/work/sandboxes-of.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

test('a verification whose worker dies begins anew in a fresh sandbox', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    setUp: 'echo set up >>~/set-up\n',
    command:
      'echo begun >>~/begun; until [ -e ~/go ]; do sleep 0.1; done; cat ~/set-up ~/begun; test "$(cat ~/set-up ~/begun | wc -l)" = 2',
  });
  await call(1, 'echo work >work.txt');
  const { commit = '' } = await commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verify = () => verifyFeature({ projectId, sessionId, commit, landing: 1 });
  // Bypasses the sandbox API, whose look would start a sandbox that happens to be stopped.
  const inside = (...command: string[]) =>
    docker(undefined, 'exec', `longhaul-${sessionId}-v1`, ...command).catch(() => undefined);

  let die = (_reason: Error): void => {};
  const dies = new Promise<never>((_resolve, reject) => {
    die = reject;
  });
  const first = inActivity(verify, { dies });
  await waitFor(async () => (await inside('cat', '/home/agent/begun')) === 'begun');
  die(new Error('The worker let go.'));
  await expect(first).rejects.toThrow('The worker let go.');

  const earlier = await docker(undefined, 'inspect', '--format={{.Id}}', `longhaul-${sessionId}-v1`);
  const second = inActivity(verify);
  await waitFor(async () => {
    const now = await docker(undefined, 'inspect', '--format={{.Id}}', `longhaul-${sessionId}-v1`).catch(() => earlier);
    return now !== earlier && (await inside('cat', '/home/agent/begun')) === 'begun';
  });
  await inside('touch', '/home/agent/go');
  expect(await second).toEqual({ passed: true, reason: '1 of 1 verification steps passed.' });
  expect(await begun.host.sandboxes.find(`${sessionId}-v1`)).toBeUndefined();
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

test('a set-up script that the work itself breaks fails the work at once', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin();
  await call(1, 'echo exit 3 >init.sh');
  const { commit = '' } = await commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }));
  expect(verdict).toMatchObject({ passed: false, reason: expect.stringContaining('init.sh') });
});

test('work fails if its set-up script changes, removes or adds protected files', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    command: 'cat tests/*.sh "tests/deep er/"* >/dev/null',
    protectedPaths: ['tests', 'tests/deep er'],
    files: { 'tests/one.sh': 'false\n', "tests/deep er/it's\n\\.txt": 'kept\n', 'tests-of-mine.txt': 'mine\n' },
  });
  await call(1, 'printf "%s\\n" \'eval "$(cat trick)"\' >init.sh');
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
    await call(landing + 1, `cat >trick <<'END'\n${trick}\nEND`);
    const { commit = '' } = await commitWork();
    const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing }));
    expect({ trick, ...verdict }).toMatchObject({ trick, passed: complaint === undefined });
    if (complaint) expect(verdict.reason).toContain(complaint);
  }
});

test('protected files are intact although a checkout changes their line ends', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    command: 'grep -q "$(printf "\\r")" tests/one.txt',
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
