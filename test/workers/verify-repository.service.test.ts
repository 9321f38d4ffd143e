import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../activities/verification/verify.ts';
import { readEvidenceBundle } from '../../client/project/read-evidence-bundle.ts';
import type { EvidenceBundle } from '../../domain/verification/evidence.ts';
import { verifyRepository } from '../../workers/verify-repository.ts';
import { createBegunSessions } from '../support/work/begun-session.ts';
import { inActivity } from '../support/work/in-activity.ts';

const check = 'tests/check.sh';
let begun: Awaited<ReturnType<typeof createBegunSessions>>;
let made: { bundle: EvidenceBundle; passed: string; broken: string; folder: string };

beforeAll(async () => {
  begun = await createBegunSessions();
  const session = await begun.begin({
    isRed: false,
    commands: [`sh ${check}`],
    files: { [check]: 'test "$(sh greet.sh Ada)" = "Hello, Ada"\n' },
    protectedPaths: [check],
  });
  const { projectId, sessionId, folder } = session;
  await session.call(1, `echo 'echo "Hello, $1"' >greet.sh`);
  const { commit: passed = '' } = await session.commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  await inActivity(() => verifyFeature({ projectId, sessionId, commit: passed, landing: 1 }));
  const bundle = JSON.parse(JSON.stringify(await readEvidenceBundle(begun.dependencies.database, projectId)));
  const broken = await session.commitFiles({ 'greet.sh': 'echo Bye\n' }, passed);
  made = { bundle, passed, broken, folder };
});
afterAll(() => begun?.stop());

async function verify(bundle: EvidenceBundle, commit: string) {
  const { defaultImage: image, sandboxes, openRepository } = begun.dependencies;
  const repository = await openRepository(made.folder, 'main');
  const { signal } = new AbortController();
  return verifyRepository({ repository, bundle, commit, sandboxes, image, rules: [], signal });
}

test('a verdict is reproduced from the repository and its evidence alone', async () => {
  const { bundle, passed } = made;
  expect(bundle.verdicts.map(({ purpose, passed }) => [purpose, passed])).toEqual([
    ['base', true],
    ['session', true],
  ]);
  expect(await verify(bundle, passed)).toEqual({
    tampering: [],
    features: [{ feature: 'one', passedAt: passed, reproduced: true, reason: '1 of 1 steps passed.' }],
  });
});

test('a verdict is not reproduced where later work broke the feature', async () => {
  const { features } = await verify(made.bundle, made.broken);
  expect(features).toMatchObject([{ reproduced: false, reason: expect.stringContaining(`sh ${check}`) }]);
});

test('changed evidence is found, and a feature that had not passed is not tried', async () => {
  const { bundle, passed } = made;
  const [red, green] = bundle.verdicts;
  if (!red || !green) throw new Error('Expected two verdicts.');
  const before = `${passed}^`;
  expect(await verify({ ...bundle, verdicts: [{ ...red, steps: [] }, green] }, before)).toEqual({
    tampering: [`${red.id} was changed after it was recorded.`],
    features: [],
  });
  const [feature] = bundle.features;
  const weaker = { steps: [{ description: 'It works.', command: 'true' }], protectedPaths: [], sealed: [] };
  const { tampering } = await verify(
    { ...bundle, features: feature ? [{ ...feature, verification: weaker }] : [] },
    before,
  );
  expect(tampering).toEqual([`The checks of "one" are not those of ${green.id}.`]);
});

test('the commit of a session names the verdict before it', async () => {
  const { bundle, passed } = made;
  const [red] = bundle.verdicts;
  const { tampering } = await verify({ ...bundle, verdicts: [] }, passed);
  expect(tampering).toEqual([
    `Commit ${passed.slice(0, 8)} names a verdict that the evidence does not have: ${red?.hash.slice(0, 8)}.`,
  ]);
});
