import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createSessionActivities } from '../../../activities/session/session.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { claimFeature } from '../../../db/features/claim-feature.ts';
import { recordPlan } from '../../../db/features/plan.ts';
import { readCheckpoints } from '../../../db/project/checkpoints.ts';
import { createProject } from '../../../db/project/projects.ts';
import { readSession, updateSession } from '../../../db/project/sessions.ts';
import { defaultProjectSettings } from '../../../domain/project/settings.ts';
import { gitErrors } from '../../../git/error-messages.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../../git/repository/project-repository.ts';
import { nextCommit, put } from '../../git/git-fixture.ts';
import { gitFixtureOfFile } from '../../git/git-fixture-of-file.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();
const fixture = await gitFixtureOfFile();
let count = 0;

/** The worker dies when it has moved the branch. */
const dyingAfterwards = (real: ProjectRepository): Partial<ProjectRepository> => ({
  moveBranch: async (from, to) => {
    await real.moveBranch(from, to);
    throw new Error('killed');
  },
});

/** A session whose work is committed and verified, and not yet on the branch. */
async function verified() {
  count += 1;
  const projectId = `project-land-${count}`;
  const sessionId = `${projectId}-s1`;
  const { repository, head } = await fixture.project();
  const { folder, branch } = repository;
  const settings = defaultProjectSettings;
  await createProject(database, { id: projectId, name: 'land', goal: 'g', folder, branch, settings });
  const verification = { steps: [{ description: 'It works.', command: 'true' }], protectedPaths: [], sealed: [] };
  const feature = { name: 'one', description: 'd', category: 'functional' as const, priority: 5, dependencies: [] };
  const names = { workflowId: projectId, workflowRunId: 'run' };
  const features = [{ ...feature, verification }];
  await recordPlan(database, { projectId, ...names, summary: 's', smokeCheck: 'true', features, commit: head });
  await claimFeature(database, { projectId, sessionId, number: 1 });
  const commit = await nextCommit(repository, head, { 'work.txt': 'work\n' });
  /** Lands it as an attempt of the activity does, with the repository that `through` makes of the real one. */
  const land = (through: (real: ProjectRepository) => Partial<ProjectRepository> = () => ({}), tries = 1) => {
    const openRepository = async () => {
      const real = await openProjectRepository({ folder, branch, environment: fixture.environment });
      return { ...real, ...through(real) };
    };
    const { landCommit } = createSessionActivities({
      database,
      openRepository,
    } as Partial<Dependencies> as Dependencies);
    return inActivity(() => landCommit({ projectId, sessionId, commit, landing: 1, tries, reason: 'green', ...names }));
  };
  const status = async () => (await readSession(database, sessionId)).status;
  const checkpoints = async () => (await readCheckpoints(database, projectId)).map((one) => one.commit);
  /** Commits what a sandbox holds that changed nothing; `meanwhile` happens before the commit is kept. */
  const commitWork = async (meanwhile: (real: ProjectRepository, ref: string) => Promise<void> = async () => {}) => {
    await updateSession(database, sessionId, { baseCommit: head });
    const real = await openProjectRepository({ folder, branch, environment: fixture.environment });
    const importing = { importSnapshot: async () => ({ tree: await real.treeOf(commit) }) };
    const openRepository = async () => ({
      ...{ ...real, ...importing },
      async keep(ref: string, made: string) {
        await meanwhile(real, ref);
        return real.keep(ref, made);
      },
    });
    const sandbox = { loadedCommit: async () => head, snapshot: async () => ({ bundle: Buffer.alloc(0), commit }) };
    const { commitSession } = createSessionActivities({
      ...{ database, openRepository, sandboxes: { find: async () => sandbox } },
    } as unknown as Dependencies);
    return inActivity(() => commitSession({ projectId, sessionId }));
  };
  /** Merges the work onto the head, as an attempt of the activity does. */
  const merge = ({ again = false } = {}) => {
    const openRepository = () => openProjectRepository({ folder, branch, environment: fixture.environment });
    const { mergeOntoHead } = createSessionActivities({
      database,
      openRepository,
    } as Partial<Dependencies> as Dependencies);
    return inActivity(() => mergeOntoHead({ projectId, sessionId, commit, landing: 1, again }));
  };
  const told = async () => (await readEvents(database, projectId)).map(({ data }) => data);
  return { repository, folder, head, commit, land, merge, commitWork, status, checkpoints, told };
}

test("work does not land on a person's later changes or commits, and the reason names them; it is merged once onto them", async () => {
  const { repository, folder, head, land, merge, status } = await verified();
  await put(folder, 'logs/app.log', 'a line\n');
  await put(folder, 'größe.txt', 'x');
  expect(await land()).toEqual({ landed: false, inTheWay: 'größe.txt, logs/app.log' });
  expect(await repository.head()).toBe(head);
  await repository.commitPersonChanges();
  expect(await land()).toEqual({ landed: false, inTheWay: 'new commits' });
  expect(await status()).toBe('RUNNING');
  await put(folder, 'mine.txt', 'mine\n');
  const merged = await merge();
  expect(merged).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), landing: 2 });
  const { commit } = merged as { commit: string };
  const files = ['größe.txt', 'logs/app.log', 'mine.txt', 'work.txt'];
  expect(await repository.listFiles(commit)).toEqual(expect.arrayContaining(files));
  expect(await repository.resolve(`${commit}^`)).toBe(await repository.head());
  expect(await merge()).toEqual(merged);
});

test('work on lines that a person changed meanwhile is refused', async () => {
  const { folder, merge } = await verified();
  await put(folder, 'work.txt', 'mine\n');
  expect(await merge()).toEqual({
    refused: expect.stringContaining('The same lines were changed meanwhile in work.txt.'),
  });
});

test('work is committed and lands once, as it is on a head that has not moved, although workers die', async () => {
  const { repository, commit, commitWork, land, merge, status, checkpoints } = await verified();
  // The first commit stays where two attempts commit the same work.
  expect(await commitWork((real, ref) => real.keep(ref, commit))).toEqual({ commit });
  expect(await commitWork()).toEqual({ commit });
  expect(await merge()).toEqual({ commit, landing: 1 });
  await expect(land(dyingAfterwards)).rejects.toThrow('killed');
  expect(await status()).toBe('RUNNING');
  expect(await merge()).toEqual({ commit, landing: 1 });
  expect(await land()).toEqual({ landed: true });
  expect(await repository.head()).toBe(commit);
  expect(await checkpoints()).toContain(commit);
});

test("a verified commit is kept while a person's merge, file or worktree is in its way, which is reported at once", async () => {
  const { repository, folder, head, commit, land, status, told } = await verified();
  const waits = (message: string) => ({
    type: 'RepositoryBusy',
    nonRetryable: true,
    message: expect.stringContaining(message),
  });
  const mergeHead = join(folder, '.git/MERGE_HEAD');
  writeFileSync(mergeHead, `${head}\n`);
  await expect(land()).rejects.toMatchObject(waits('A merge is in progress'));
  rmSync(mergeHead);
  await put(folder, '.git/info/exclude', 'work.txt\n');
  await put(folder, 'work.txt', 'mine, and ignored\n');
  await expect(land(undefined, 3)).rejects.toMatchObject(waits('work.txt'));
  expect((await told()).at(-1)).toEqual({ type: 'work.delayed', reason: expect.stringContaining('work.txt') });
  rmSync(join(folder, 'work.txt'));
  await fixture.git(folder, ['switch', '-q', '-c', 'mine']);
  const other = join(await fixture.folder(), 'worktree');
  await fixture.git(folder, ['worktree', 'add', '-q', other, 'main']);
  await expect(land()).rejects.toMatchObject(waits('worktree'));
  expect([await repository.head(), await status()]).toEqual([head, 'RUNNING']);
  await fixture.git(folder, ['worktree', 'remove', other]);
  expect(await land()).toEqual({ landed: true });
  expect([await repository.head(), await status()]).toEqual([commit, 'PASSED']);
});

test('a branch that has moved without its files is reported, and what has begun to land is tried again', async () => {
  const { repository, commit, land, status } = await verified();
  const landing = (failure: (real: ProjectRepository) => Error) =>
    land((real) => ({
      moveBranch: async (from, to) => {
        await real.moveBranch(from, to);
        throw failure(real);
      },
    }));
  const stuck = landing(({ folder, branch }) => gitErrors.filesNotFollowed(folder, branch, 'git says "no".'));
  await expect(stuck).rejects.toMatchObject({ type: 'RepositoryBusy', nonRetryable: true });
  const locked = landing(() => gitErrors.repositoryLocked('index.lock', 'git commit'));
  await expect(locked).rejects.toMatchObject({ type: 'RepositoryBusy', nonRetryable: false });
  expect([await repository.head(), await status()]).toEqual([commit, 'RUNNING']);
  expect(await land()).toEqual({ landed: true });
});

test("a person's commits and edits between a landing and its record have the work below them once", async () => {
  const { repository, folder, commit, land, status, checkpoints } = await verified();
  await expect(land(dyingAfterwards)).rejects.toThrow('killed');
  await put(folder, 'work.txt', 'edited by a person\n');
  const { head } = await repository.commitPersonChanges();
  await put(folder, 'mine.txt', 'not committed\n');
  expect(await land()).toEqual({ landed: true });
  expect([await status(), await repository.head()]).toEqual(['PASSED', head]);
  expect(await checkpoints()).toContain(commit);
});
