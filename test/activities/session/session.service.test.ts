import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createSessionActivities } from '../../../activities/session/session.ts';
import { claimFeature } from '../../../db/features/claim-feature.ts';
import { featureOf, readFeatures } from '../../../db/features/features.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { readSession, updateSession } from '../../../db/project/sessions.ts';
import { addVerification, verificationId } from '../../../db/project/verifications.ts';
import { projects } from '../../../db/schema/projects.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import { seedProject } from '../../client/seed-project.ts';
import { makeRepository } from '../../sandbox/make-repository.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();

describe('the end of a session', () => {
  const uri = mkdtempSync(join(tmpdir(), 'longhaul-lessons-'));
  const removals: Array<() => Promise<void>> = [];
  let memory: MemoryStore;

  beforeAll(async () => {
    memory = await openMemoryStore({ uri });
  });
  afterAll(async () => {
    await memory.close();
    for (const remove of removals) await remove();
    rmSync(uri, { recursive: true, force: true });
  });

  async function beginSession(projectId: string): Promise<{ projectId: string; sessionId: string }> {
    const repository = await makeRepository({ 'a.txt': 'a\n' });
    removals.push(repository.remove);
    const folder = await repository.git('rev-parse', '--show-toplevel');
    await seedProject(database, projectId, folder, { plan: repository.commit, entries: repository.commit });
    const sessionId = `${projectId}-s2`;
    await claimFeature(database, { projectId, sessionId, number: 2 });
    return { projectId, sessionId };
  }

  function activities(store: Pick<MemoryStore, 'remember'>) {
    const openRepository = (folder: string, branch: string) => openProjectRepository({ folder, branch });
    return createSessionActivities({ database, memory: store, openRepository } as Dependencies); // no other dependency is used
  }

  const failed = { status: 'FAILED', reason: 'It is wrong.', lesson: 'It was wrong.' } as const;

  test('a session ends although its lesson would contain a secret', async () => {
    const session = await beginSession('project-secretive');
    const name = 'Migrate postgres://app:hunter22@db.local/prod to';
    await database.update(projects).set({ name }).where(eq(projects.id, session.projectId));
    expect(await inActivity(() => activities(memory).endSession({ ...session, ...failed }))).toBe('FAILED');
    const [lesson] = await memory.get([`${session.sessionId}/lesson`]);
    expect(lesson).toMatchObject({ scope: 'project', origin: 'agent' }); // other projects do not see it
    expect(lesson?.text).toBe(
      'Lesson of "report" in the project "Migrate [removed: a password in an address]db.local/prod to": It was wrong.',
    );
  });

  test('a memory store that is away does not keep a session from ending; a short outage loses no lesson', async () => {
    const session = await beginSession('project-forgetful');
    const { endSession } = activities({ remember: () => Promise.reject(new Error('no route to the bucket')) });
    const attempt = (number: number) =>
      inActivity(() => endSession({ ...session, ...failed }), { info: { attempt: number } });
    await expect(attempt(1)).rejects.toThrow('no route to the bucket');
    await expect(attempt(20)).rejects.toThrow('no route to the bucket');
    expect(await attempt(21)).toBe('FAILED');
  });
});

describe('proposed checks', () => {
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
});
