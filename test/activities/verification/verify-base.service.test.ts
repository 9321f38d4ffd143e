import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyBase } from '../../../activities/verification/verify-base.ts';
import { changeChecks } from '../../../db/features/features.ts';
import { inProject } from '../../../db/project/project-transaction.ts';
import { readRedCommits, readVerifications } from '../../../db/project/verifications.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { waitFor } from '../../sandbox/test-sandboxes.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { createDeath } from '../../support/work/in-activity.ts';
import { docker } from '../../support/work/sandboxes-of.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
let sandbox: Sandbox;
beforeAll(async () => {
  begun = await createBegunSessions();
  sandbox = await begun.host.open();
});
afterAll(() => begun?.stop());

const database = () => begun.dependencies.database;
const begin = (project: Parameters<typeof begun.begin>[0]) => begun.begin({ ...project, isOpen: false, isRed: false });

const baseVerdicts = (projectId: string) => readVerifications(database(), `${projectId}/one`);

/** Verifies as `openSandbox` does, in forks of a sandbox that all these tests use. */
const verifyBase = (sessionId: string, { requestedByName = false } = {}) => {
  const { signal } = new AbortController();
  const request = { sessionId, sandbox, requestedByName };
  return createVerifyBase(begun.dependencies)(request, { cancel: signal, detach: signal });
};

test('a verification that fails before the work is recorded once, also if a worker dies meanwhile, and leaves nothing in the sandbox that an agent could read', async () => {
  const sealed = [
    {
      requirement: 'It adds.',
      command: 'sh secret/check.sh',
      files: [{ path: 'secret/check.sh', content: 'test -f sums.py\n' }],
    },
  ];
  const commands = ['echo left >left.txt; touch ~/begun; until [ -e ~/go ]; do sleep 0.1; done'];
  const session = await begin({ commands, sealed });
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
  expect(await session.open()).toEqual({}); // a retry
  const rows = await baseVerdicts(session.projectId);
  expect(rows).toMatchObject([
    { number: 1, purpose: 'base', passed: true, steps: [{ passed: true }, { passed: false, exitCode: 1 }] },
  ]);
  expect([...(await readRedCommits(database(), session.projectId))]).toEqual([
    [`${session.projectId}/one`, session.commit],
  ]);
  const listed = await session.call(1, 'ls -R; ls -R ~; grep -r secret / --include=*.sh 2>/dev/null');
  expect(JSON.stringify(listed)).not.toMatch(/left.txt|secret.check/);
});

test('a verification that passes before the work proves nothing, unless a person accepts it, and again once it is changed', async () => {
  const session = await begin({ commands: ['true'] });
  const unproven = {
    mayRewrite: false,
    reason: expect.stringMatching(
      /^The verification of "one" proves nothing: at \w{8}, it passes before any work\. Change it by `longhaul checks one --from`/,
    ),
  };
  expect(await verifyBase(session.sessionId, { requestedByName: true })).toEqual(unproven);
  const next = await session.beginAnother();
  expect(await verifyBase(next.sessionId)).toEqual(unproven);
  const asked = await next.beginAnother();
  expect(await verifyBase(asked.sessionId, { requestedByName: true })).toBeUndefined();
  const later = await asked.beginAnother();
  expect(await verifyBase(later.sessionId)).toBeUndefined();
  expect([...(await readRedCommits(database(), session.projectId))]).toEqual([]);
  await later.stop();
  const changed = { steps: [{ description: 'It works.', command: 'true; true' }], protectedPaths: [], sealed: [] };
  await inProject(database(), session.projectId, (transaction) => changeChecks(transaction, 'one', changed));
  expect(await verifyBase((await later.beginAnother()).sessionId)).toEqual(unproven);
});

test('a check that cannot be read proves nothing', async () => {
  const content = 'def test_add(:\n    pass\n';
  const path = 'tests/test_sums.py';
  const { sessionId } = await begin({ commands: [`python3 ${path}`], protectedPaths: [path] });
  await sandbox.files.write({ id: 'broken', path, content });
  expect((await verifyBase(sessionId))?.reason).toContain(
    `${path} cannot be read as Python. Change ${path} in the project`,
  );
});

test('where the set-up fails, a failure of the verification says nothing', async () => {
  const session = await begin({ setUp: 'exit 3\n', commands: ['false'] });
  expect(await session.open()).toEqual({});
  expect(await baseVerdicts(session.projectId)).toEqual([]);
});
