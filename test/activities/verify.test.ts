import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../activities/verify.ts';
import { waitFor } from '../sandbox/test-sandboxes.ts';
import { createBegunSessions } from '../support/begun-session.ts';
import { inActivity } from '../support/in-activity.ts';
import { docker } from '../support/sandboxes-of.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

test('a step under way would be ended or run again where its worker dies, or the set-up be done again', async () => {
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

  const second = inActivity(verify);
  await inside('touch', '/home/agent/go');
  expect(await second).toEqual({ passed: true, reason: '1 of 1 verification steps passed.' });
  expect(await begun.host.sandboxes.find(`${sessionId}-v1`)).toBeUndefined();
});

test('a set-up script would change, take away or add what is in a protected folder, and pass', async () => {
  const { projectId, sessionId, call, commitWork } = await begun.begin({
    command: 'cat tests/*.sh "tests/deep er/"* >/dev/null',
    protectedPaths: ['tests', 'tests/deep er'],
    files: { 'tests/one.sh': 'false\n', "tests/deep er/it's\n\\.txt": 'kept\n', 'tests-of-mine.txt': 'mine\n' },
  });
  await call(1, 'printf "%s\\n" \'eval "$(cat trick)"\' >init.sh');
  const tricks = {
    'echo more >>tests-of-mine.txt': undefined,
    'echo true >tests/one.sh': 'tests/one.sh: FAILED',
    'echo true >tests/two.sh': 'files in protected folders, which have to stay as they are: ./tests/two.sh',
    'mv tests/deep\\ er deep; ln -s ../deep tests/deep\\ er; touch deep/four': 'as they are: ./tests/deep er',
  };
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  let landing = 0;
  for (const [trick, complaint] of Object.entries(tricks)) {
    landing += 1;
    await call(landing + 1, `cat >trick <<'END'\n${trick}\nEND`);
    const { commit = '' } = await commitWork(landing);
    const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing }));
    expect({ trick, ...verdict }).toMatchObject({ trick, passed: complaint === undefined });
    if (complaint) expect(verdict.reason).toContain(complaint);
  }
});

test('nothing would pass where a checkout changes the line ends of protected files', async () => {
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
