import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSessionActivities } from '../../../activities/session/session.ts';
import { featureOf, readFeatures } from '../../../db/project/features.ts';
import { readSession, updateSession } from '../../../db/project/sessions.ts';
import { addVerification, verificationId } from '../../../db/project/verifications.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { inActivity } from '../../support/work/in-activity.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

const proposedChecks = {
  steps: [{ description: 'It is there.', command: 'sh tests/more.sh' }],
  files: [{ path: 'tests/more.sh', content: 'test -e a.txt\n' }],
  protected: [],
  sealed: [{ requirement: 'It is a file.', command: 'test -f a.txt', files: [] }],
};

/** Applies what the session's agent proposed, as two attempts of the activity do. */
async function applyTwice({ isJudged }: { isJudged: boolean }) {
  const { projectId, sessionId, commit, folder } = await begun.begin({ commands: ['true'], isOpen: false });
  const { database } = begun.dependencies;
  const session = await readSession(database, sessionId);
  const feature = async () => featureOf(await readFeatures(database, projectId), session);
  if (isJudged)
    await addVerification(database, {
      ...{ id: verificationId({ sessionId, landing: 1 }), projectId, sessionId, commit, feature: await feature() },
      ...{ image: null, purpose: 'session', passed: true, reason: 'It passed.', steps: [] },
    });
  await updateSession(database, sessionId, { proposedChecks });
  const { applyChecks } = createSessionActivities(begun.dependencies);
  for (let attempt = 1; attempt <= 2; attempt += 1) await inActivity(() => applyChecks({ projectId, sessionId }));
  const repository = await begun.dependencies.openRepository(folder, 'main');
  const commits = (await repository.log('main')).filter(({ subject }) => subject === 'Checks of one');
  return { commits: commits.length, verification: (await feature()).verification };
}

test('checks that are proposed before the work replace those that prove nothing, once', async () => {
  expect(await applyTwice({ isJudged: false })).toMatchObject({
    commits: 1,
    verification: { steps: [{ command: 'sh tests/more.sh' }], protectedPaths: ['tests/more.sh'], sealed: [{}] },
  });
});

test('checks that are proposed after the work passed are added, once', async () => {
  expect(await applyTwice({ isJudged: true })).toMatchObject({
    commits: 1,
    verification: {
      steps: [{ command: 'true' }, { command: 'sh tests/more.sh' }],
      protectedPaths: ['tests/more.sh'],
      sealed: [{ command: 'test -f a.txt' }],
    },
  });
});
