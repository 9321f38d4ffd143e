import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changeChecks } from '../../../db/project/features.ts';
import { inProject } from '../../../db/project/project-transaction.ts';
import { readRedCommits, readVerifications } from '../../../db/project/verifications.ts';
import { waitFor } from '../../sandbox/test-sandboxes.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { createDeath } from '../../support/work/in-activity.ts';
import { docker } from '../../support/work/sandboxes-of.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

const database = () => begun.dependencies.database;
const begin = (project: Parameters<typeof begun.begin>[0]) => begun.begin({ ...project, isOpen: false, isRed: false });

const baseVerdicts = (projectId: string) => readVerifications(database(), `${projectId}/one`);

const broken = 'def test_add(:\n    pass\n';
const sealed = [
  {
    requirement: 'It adds.',
    command: 'sh secret/check.sh',
    files: [{ path: 'secret/check.sh', content: 'test -f sums.py\n' }],
  },
];

test('a verification that fails before the work is recorded once, and leaves nothing in the sandbox that an agent could read', async () => {
  const session = await begin({ commands: ['echo left >left.txt'], sealed });
  expect(await session.open()).toEqual({});
  expect(await session.open()).toEqual({}); // a retry
  const rows = await baseVerdicts(session.projectId);
  expect(rows).toMatchObject([
    { purpose: 'base', passed: true, steps: [{ passed: true }, { passed: false, exitCode: 1 }] },
  ]);
  expect([...(await readRedCommits(database(), session.projectId))]).toEqual([
    [`${session.projectId}/one`, session.commit],
  ]);
  const listed = await session.call(1, 'ls -R; ls -R ~; grep -r secret / --include=*.sh 2>/dev/null');
  expect(JSON.stringify(listed)).not.toMatch(/left.txt|secret.check/);
});

test('a run before the work whose worker dies begins anew, and leaves one verdict', async () => {
  const session = await begin({ commands: ['touch ~/begun; until [ -e ~/go ]; do sleep 0.1; done; false'] });
  const fork = `longhaul-${session.sessionId}-step`;
  // Bypasses the sandbox API, whose look would start a sandbox that happens to be stopped.
  const inside = (...command: string[]) => docker(undefined, 'exec', fork, ...command).catch(() => undefined);
  const hasBegun = () => waitFor(async () => (await inside('ls', '/home/agent'))?.includes('begun') ?? false);
  const { dies, die } = createDeath();
  const first = session.open({ dies });
  await hasBegun();
  die();
  await expect(first).rejects.toThrow('The worker let go.');
  const earlier = await docker(undefined, 'inspect', '--format={{.Id}}', fork);
  const second = session.open();
  await waitFor(
    async () => (await docker(undefined, 'inspect', '--format={{.Id}}', fork).catch(() => earlier)) !== earlier,
  );
  await hasBegun();
  await inside('touch', '/home/agent/go');
  expect(await second).toEqual({});
  const rows = await baseVerdicts(session.projectId);
  expect(rows).toMatchObject([{ number: 1, passed: true }]);
});

test('a verification that passes before the work proves nothing, unless a person accepts it', async () => {
  const session = await begin({ commands: ['true'] });
  const unproven = {
    mayRewrite: false,
    reason: expect.stringMatching(/^The verification of "one" proves nothing: at \w{8}, it passes before any work\./),
  };
  expect(await session.open({ requestedByName: true })).toEqual({ unproven });
  const next = await session.beginAnother();
  expect(await next.open()).toEqual({ unproven });
  const asked = await next.beginAnother();
  expect(await asked.open({ requestedByName: true })).toEqual({});
  expect(await (await asked.beginAnother()).open()).toEqual({});
  expect([...(await readRedCommits(database(), session.projectId))]).toEqual([]);
});

test('a check that cannot be read proves nothing', async () => {
  const session = await begin({
    commands: ['python3 tests/test_sums.py'],
    files: { 'tests/test_sums.py': broken },
    protectedPaths: ['tests/test_sums.py'],
  });
  const { unproven } = await session.open();
  expect(unproven?.reason).toContain(
    'tests/test_sums.py cannot be read as Python. Change tests/test_sums.py in the project',
  );
});

test('where the set-up fails, a failure of the verification says nothing', async () => {
  const session = await begin({ setUp: 'exit 3\n', commands: ['false'] });
  expect(await session.open()).toEqual({});
  expect(await baseVerdicts(session.projectId)).toEqual([]);
});

test('changed checks have to fail before the work again', async () => {
  const session = await begin({ commands: ['false'] });
  expect(await session.open()).toEqual({});
  await session.stop();
  const weaker = { steps: [{ description: 'It works.', command: 'true' }], protectedPaths: [], sealed: [] };
  await inProject(database(), session.projectId, (transaction) => changeChecks(transaction, 'one', weaker));
  const next = await session.beginAnother();
  expect(await next.open()).toEqual({
    unproven: { mayRewrite: false, reason: expect.stringContaining('Change it by `longhaul checks one --from`') },
  });
});
