import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createRevertActivities, findUnfinishedRevert } from '../../../activities/project/revert.ts';
import { readFeatures } from '../../../db/features/features.ts';
import { findProject } from '../../../db/project/projects.ts';
import type { RevertRequest } from '../../../domain/project/messages.ts';
import { gitErrors } from '../../../git/error-messages.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../../git/repository/project-repository.ts';
import { seedProject } from '../../client/seed-project.ts';
import { put } from '../../git/git-fixture.ts';
import { gitFixtureOfFile } from '../../git/git-fixture-of-file.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();
const fixture = await gitFixtureOfFile();
let count = 0;

const undone = { entries: 'NOT_STARTED', report: 'NOT_STARTED' };

/** A project with a plan (c0), a feature that passed on top of it (c1), and `.env` ignored since the latter. */
async function passed() {
  count += 1;
  const projectId = `project-revert-${count}`;
  const { repository, head: plan } = await fixture.project({ '.env': 'PLAN=1\n', 'README.md': 'hello\n' });
  const { folder, branch } = repository;
  const tree = await repository.writeTree([
    { path: '.gitignore', content: '.env\n' },
    { path: 'entries.txt', content: 'x\n' },
  ]);
  const entries = await repository.commit({ tree, parents: [plan], message: 'Entries', trailers: {} });
  await fixture.git(folder, ['reset', '-q', '--hard', entries]);
  await seedProject(database, projectId, folder, { plan, entries });

  /** The activities of one attempt, with the repository that `through` makes of the real one. */
  const activities = (through: (real: ProjectRepository) => Partial<ProjectRepository>) =>
    createRevertActivities({
      database,
      openRepository: async () => {
        const real = await openProjectRepository({ folder, branch, environment: fixture.environment });
        return { ...real, ...through(real) };
      },
    });
  const check = (request: Partial<RevertRequest> = {}) =>
    inActivity(() => activities(() => ({})).checkRevert({ projectId, request: { checkpoint: 'c0', ...request } }));
  const revert = (
    through: (real: ProjectRepository) => Partial<ProjectRepository> = () => ({}),
    { attempt = 1, revertId = 'r1', ...request }: Partial<RevertRequest> & { attempt?: number; revertId?: string } = {},
  ) =>
    inActivity(
      () =>
        activities(through).revertToCheckpoint({
          projectId,
          revertId,
          request: { checkpoint: 'c0', ...request },
        }),
      { info: { attempt } },
    );
  const statuses = async () =>
    Object.fromEntries((await readFeatures(database, projectId)).map(({ name, status }) => [name, status]));
  const unfinished = async () => {
    const project = await findProject(database, projectId);
    return project && findUnfinishedRevert(database, repository, project);
  };
  const kept = (id = 'r1') => repository.resolve(`refs/longhaul/reverted/${projectId}/${id}`);
  const personCommits = async (path: string) => {
    await put(folder, path, 'by a person\n');
    return (await repository.commitPersonChanges()).head;
  };
  return { personCommits, repository, folder, plan, entries, check, revert, statuses, unfinished, kept };
}

test('a revert is refused while features and branch are where they were: by a rebase that a person has begun, at once, and by files in its way', async () => {
  const { repository, folder, plan, entries, check, revert, statuses } = await passed();
  await fixture.git(folder, ['commit', '-q', '--allow-empty', '-m', 'mine']);
  const mine = await repository.head();
  await fixture.git(folder, ['rebase', '-q', '--exec', 'false', entries]).catch(() => '');
  const before = await statuses();
  const refused = (type: string, message: string) => ({
    type,
    nonRetryable: true,
    message: expect.stringContaining(message),
  });
  await expect(check({ overUncommittedChanges: true })).rejects.toMatchObject(refused('RepositoryBusy', 'rebase'));
  await expect(revert()).rejects.toMatchObject(refused('RepositoryBusy', 'rebase'));
  expect(await statuses()).toEqual(before);
  await fixture.git(folder, ['rebase', '--abort']);
  await check();
  await put(folder, '.env', 'SECRET=1\n');
  await expect(check()).rejects.toMatchObject(refused('RepositoryUnusable', '(.env)'));
  await expect(revert()).rejects.toMatchObject(refused('RepositoryUnusable', '(.env)'));
  expect([await statuses(), await repository.head()]).toEqual([before, mine]);
  await fixture.git(folder, ['clean', '-fdxq']);
  await revert();
  expect([await statuses(), await repository.head()]).toEqual([undone, plan]);
});

test('a revert over what was staged and undone again is done, and one whose files cannot follow the branch reports why at once', async () => {
  const { repository, folder, plan, revert, statuses } = await passed();
  await put(folder, 'entries.txt', 'staged\n');
  await fixture.git(folder, ['add', 'entries.txt']);
  await put(folder, 'entries.txt', 'x\n');
  const stuck = revert(
    (real) => ({
      moveBranch: async (from, to) => {
        await real.moveBranch(from, to);
        throw gitErrors.filesNotFollowed(real.folder, real.branch, 'git says "no".');
      },
    }),
    { overUncommittedChanges: true },
  );
  const told = { type: 'RevertUnfinished', nonRetryable: true, message: expect.stringContaining('git says "no"') };
  await expect(stuck).rejects.toMatchObject(told);
  await revert();
  expect([await statuses(), await repository.head()]).toEqual([undone, plan]);
});

test('a branch that stops following after the features were reverted says that it is half done, and the same revert ends it', async () => {
  const { repository, folder, plan, entries, revert, statuses, unfinished, kept } = await passed();
  const env = join(folder, '.env');
  expect(await unfinished()).toBeUndefined();
  const meanwhile = revert((real) => ({
    moveBranch: async (from, to) => {
      writeFileSync(env, 'SECRET=1\n');
      return real.moveBranch(from, to);
    },
  }));
  const half = { type: 'RevertUnfinished', nonRetryable: true, message: expect.stringContaining('(.env)') };
  await expect(meanwhile).rejects.toMatchObject(half);
  expect([await statuses(), await repository.head()]).toEqual([undone, entries]);
  // A workflow that begins anew has to know.
  expect(await unfinished()).toEqual({ revertId: 'r1', request: { checkpoint: 'c0' } });
  await expect(revert()).rejects.toMatchObject(half);
  await fixture.git(folder, ['clean', '-fdxq']);
  // An edit since then is asked about, and one that is committed is kept with what was left.
  await put(folder, 'mine.txt', 'mine\n');
  await expect(revert()).rejects.toMatchObject({ ...half, message: expect.stringContaining('not committed') });
  await fixture.git(folder, ['add', '--all']);
  await fixture.git(folder, ['commit', '-q', '-m', 'mine']);
  const mine = await repository.head();
  expect(await unfinished()).toEqual({ revertId: 'r1', request: { checkpoint: 'c0' } });
  await revert();
  expect([await statuses(), await repository.head(), await kept()]).toEqual([undone, plan, mine]);
  expect(await unfinished()).toBeUndefined();
});

/** The worker dies when it has moved the branch. */
const dyingAfterwards = (real: ProjectRepository): Partial<ProjectRepository> => ({
  moveBranch: async (from, to) => {
    await real.moveBranch(from, to);
    throw new Error('killed');
  },
});

test('a repository that is busy for a moment is tried again, commits of a person on top of a revert whose worker died stay, and the ref keeps the previous state', async () => {
  const { repository, folder, plan, entries, revert, statuses, kept, personCommits } = await passed();
  const meanwhile = revert((real) => ({
    moveBranch: async (from, to) => {
      writeFileSync(join(folder, 'mine.txt'), 'mine\n');
      return real.moveBranch(from, to);
    },
  }));
  await expect(meanwhile).rejects.toMatchObject({ type: 'RevertUnfinished', nonRetryable: false });
  expect(await repository.head()).toBe(entries);
  await revert(undefined, { attempt: 2 });
  expect([await statuses(), await repository.head()]).toEqual([undone, plan]);
  const left = (await kept()) ?? '';
  expect(String(await repository.readFile(left, 'mine.txt'))).toBe('mine\n');
  // Forth again, to what is on top of the branch, and back.
  let previous = plan;
  for (const [revertId, checkpoint] of [
    ['r2', 'c1'],
    ['r3', 'c0'],
  ] as const) {
    await expect(revert(dyingAfterwards, { revertId, checkpoint })).rejects.toThrow('killed');
    const mine = await personCommits(`${revertId}.txt`);
    await revert(undefined, { revertId, checkpoint, attempt: 2 });
    expect([await repository.head(), await kept(revertId)]).toEqual([mine, previous]);
    previous = mine;
  }
});

test('a person who moves the branch between two attempts loses nothing that either attempt left', async () => {
  const { repository, folder, plan, entries, revert, statuses, kept, personCommits } = await passed();
  const mine = await personCommits('mine.txt');
  const dying = () => ({ moveBranch: () => Promise.reject(new Error('killed')) });
  await expect(revert(dying)).rejects.toThrow('killed');
  await fixture.git(folder, ['reset', '-q', '--hard', entries]);
  const other = await personCommits('other.txt');
  await revert(undefined, { attempt: 2 });
  expect([await statuses(), await repository.head(), await kept()]).toEqual([undone, plan, mine]);
  expect(await kept(`r1-${other}`)).toBe(other);
});
