import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createSessionActivities } from '../../../activities/session/session.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { claimFeature } from '../../../db/project/claim-feature.ts';
import { projects } from '../../../db/schema/projects.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import { seedProject } from '../../client/seed-project.ts';
import { makeRepository } from '../../sandbox/make-repository.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const postgres = await databaseOfFile();
const { database } = postgres;
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
