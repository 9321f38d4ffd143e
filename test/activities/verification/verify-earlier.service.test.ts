import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../../activities/verification/verify.ts';
import { addFeatures, changeFeature, featureOf, readFeatures } from '../../../db/features/features.ts';
import { inProject } from '../../../db/project/project-transaction.ts';
import { readVerifications } from '../../../db/project/verifications.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { inActivity } from '../../support/work/in-activity.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

/** The verdicts on a feature that passed earlier, each after a session that worked on another. */
async function verifyEarlier(works: Array<Record<string, string>>): Promise<boolean[]> {
  const { database } = begun.dependencies;
  const { projectId, sessionId, commit, commitFiles } = await begun.begin({
    isOpen: false,
    files: {
      Makefile: 'check:\n\tsh tests/check.sh\n',
      'tests/equal.sh': '[ "$1" = "$2" ] || exit 1\n',
      'tests/check.sh': '. ./sums.sh\nsh tests/equal.sh "$(add 2 3)" 5 || exit 1\necho well\n',
      'sums.sh': 'add() { echo $(($1 + $2)); }\n',
    },
  });
  const verification = {
    steps: [{ description: 'It adds.', command: 'make check' }],
    protectedPaths: ['tests/check.sh'],
    sealed: [],
  };
  const feature = { name: 'earlier', description: 'd', category: 'functional' as const, priority: 5, dependencies: [] };
  const featureId = `${projectId}/earlier`;
  await inProject(database, projectId, async (transaction) => {
    await addFeatures(transaction, [{ ...feature, verification }]);
    const added = featureOf(await readFeatures(transaction.query, projectId), { projectId, featureId });
    await changeFeature(transaction, { ...added, status: 'IN_PROGRESS' }, { status: 'PASSING', commit });
  });
  const { verifyEarlierFeatures } = createVerifyActivities(begun.dependencies);
  for (const [index, work] of works.entries()) {
    const input = { projectId, sessionId, commit: await commitFiles(work), landing: index + 1 };
    expect(await inActivity(() => verifyEarlierFeatures(input))).toEqual({});
  }
  return (await readVerifications(database, featureId, { purpose: 'regression' })).map(({ passed }) => passed);
}

test('a feature that passed earlier does not pass again where its checks end with 0 whatever they say', async () => {
  const kept = { 'more.txt': 'more\n' };
  const ending = { 'sums.sh': 'exit 0\n' };
  const turned = { Makefile: 'check:\n\ttrue\n' };
  expect(await verifyEarlier([kept, ending, turned])).toEqual([true, false, false]);
});

test('a feature that passed earlier does not pass again only with what another session changed in a helper of its check', async () => {
  const broken = { 'sums.sh': 'add() { echo 0; }\n', 'tests/equal.sh': 'true\n' };
  expect(await verifyEarlier([broken])).toEqual([false]);
});
