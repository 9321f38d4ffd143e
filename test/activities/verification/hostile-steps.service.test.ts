import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../../activities/verification/verify.ts';
import { hasNetwork } from '../../support/stack/scripts.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { inActivity } from '../../support/work/in-activity.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

test('a verification step that kills its own shell, or everything it can, does not pass', async () => {
  const { projectId, sessionId, commitFiles } = await begun.begin({ commands: ['. ./trick'], isOpen: false });
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verify = async (trick: string, landing: number) => {
    const commit = await commitFiles({ trick });
    return inActivity(() => verifyFeature({ projectId, sessionId, commit, landing }));
  };
  expect(await verify('kill -9 $$', 1)).toEqual({
    passed: false,
    reason: expect.stringContaining('failed (exit code 137)'),
  });
  expect(await verify(`bash -c 'kill -9 -1; exit 0'`, 2)).toEqual({
    passed: false,
    reason: expect.stringMatching(/failed \((exit code 137|interrupted)\)/),
  });
});

test('a set-up script that changes a check while the steps run passes nothing', async () => {
  // It starts a process that waits until the protected files were checked, then changes the one that the step runs.
  const forge = '(sleep 3; while sleep 0.1; do echo true >acceptance/forged.sh; done) >/dev/null 2>&1 &';
  const { projectId, sessionId, commitFiles } = await begun.begin({
    isOpen: false,
    setUp: `[ ! -f forged.txt ] || { ${forge} }\n`,
    commands: ['sleep 2; bash acceptance/forged.sh'],
    protectedPaths: ['acceptance/forged.sh'],
    files: { 'acceptance/forged.sh': 'grep -qx forged forged.txt\n' },
  });
  const commit = await commitFiles({ 'forged.txt': 'something else\n' });
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  expect(await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }))).toEqual({
    passed: false,
    reason: expect.stringMatching(/failed \(exit code 1\): `sleep 2; bash acceptance/),
  });
});

test('a project without network has none in set-up, work and verification', async () => {
  const { projectId, sessionId, call, commitFiles } = await begun.begin({
    network: 'none',
    setUp: `! ${hasNetwork} && [ "$(ls /sys/class/net)" = lo ] && touch ~/no-network-at-set-up\n`,
    commands: [`test -f ~/no-network-at-set-up && ! ${hasNetwork}`],
  });
  const worked = await call(1, `test -f ~/no-network-at-set-up && ! ${hasNetwork} && echo no way out`);
  expect(JSON.stringify(worked)).toContain('no way out\\n[exit code 0]');
  const commit = await commitFiles({ 'work.txt': 'work\n' });
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  expect(await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }))).toMatchObject({
    passed: true,
  });
});
