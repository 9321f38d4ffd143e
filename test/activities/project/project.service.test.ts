import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { allowFolder } from '../../../activities/project/allow-folder.ts';
import { createProjectActivities } from '../../../activities/project/project.ts';
import { checkFeatures } from '../../../client/start/check-goal.ts';
import { saveProposal } from '../../../db/features/plan.ts';
import { saveStartRequest } from '../../../db/project/start-requests.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import { refusePrivateFolder } from '../../../git/repository/private-folders.ts';
import { put } from '../../git/git-fixture.ts';
import { gitFixtureOfFile } from '../../git/git-fixture-of-file.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { proposal } from '../../support/stack/scripts.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();

const fixture = await gitFixtureOfFile();

test("an initializer sees a person's uncommitted files", async () => {
  const { repository, head: before } = await fixture.project({ 'README.md': 'mine\n' });
  const { folder, branch } = repository;
  const openRepository = () => openProjectRepository({ folder, branch, environment: fixture.environment });
  const { createProject } = createProjectActivities({
    ...{ database, openRepository, createRepository: openRepository, projectRoots: [fixture.root] },
    refusePrivateFolder: async (path) => path,
    agents: { budgets: { project: { usd: 20 }, run: { turns: 50 } } } as Partial<
      Dependencies['agents']
    > as Dependencies['agents'],
  } as Partial<Dependencies> as Dependencies);
  const settings = { budgets: { project: { minutes: 5 } } };
  const create = () =>
    inActivity(() => createProject({ projectId: 'project-begun', goal: 'A file.', folder, settings }));
  await put(folder, 'notes.md', 'not committed\n');
  const { head, settings: stored } = await create();
  expect(stored.budgets).toEqual({ project: { minutes: 5 }, run: { turns: 50 } }); // its own, then those of the settings file
  expect(head).not.toBe(before);
  expect(await repository.listFiles(head ?? '')).toContain('notes.md');

  // A plan that is there already is put on top of what a person has by then.
  await saveProposal(database, 'project-begun', checkFeatures(proposal([{ name: 'one' }])));
  await put(folder, 'later.md', 'not committed\n');
  expect(await create()).toMatchObject({ proposed: true, head });
});

describe('folders', () => {
  const projects = join(fixture.root, 'projects');
  const places = { userHome: fixture.home, dataFolder: join(fixture.home, '.longhaul'), roots: [projects] };

  const allow = (folder: string) =>
    allowFolder(
      { database, projectRoots: [projects], refusePrivateFolder: (path) => refusePrivateFolder(path, places) },
      { projectId: 'from-ui', folder },
    );

  test('whoever can start a workflow opens folders below the roots and those that a person named, and no other', async () => {
    const named = join(fixture.root, 'named');
    const other = join(fixture.root, 'other');
    await mkdir(other);
    await allow(join(projects, 'new'));
    const refusal = { type: 'FolderNotAllowed', nonRetryable: true };
    for (const folder of [projects, named, other]) await expect(allow(folder)).rejects.toMatchObject(refusal);
    await saveStartRequest(database, 'project-named', named);
    await allow(named);
    await expect(allow(other)).rejects.toThrow(`Start it there with \`longhaul start --dir\``);
  });

  test('neither a link below a root nor a request makes a private folder a project', async () => {
    const link = join(projects, 'link');
    await mkdir(join(fixture.home, '.ssh'), { recursive: true });
    await mkdir(projects, { recursive: true });
    await symlink(join(fixture.home, '.ssh'), link);
    await expect(allow(link)).rejects.toMatchObject({ code: 'FolderPrivate' });
    await saveStartRequest(database, 'project-home', fixture.home);
    await expect(allow(fixture.home)).rejects.toMatchObject({ code: 'FolderPrivate' });
  });
});
