import { expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createProjectActivities } from '../../../activities/project/project.ts';
import { checkFeatures } from '../../../client/start/check-goal.ts';
import { saveProposal } from '../../../db/project/plan.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
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
  } as Partial<Dependencies> as Dependencies);
  const create = () => inActivity(() => createProject({ projectId: 'project-begun', goal: 'A file.', folder }));
  await put(folder, 'notes.md', 'not committed\n');
  const { head } = await create();
  expect(head).not.toBe(before);
  expect(await repository.listFiles(head ?? '')).toContain('notes.md');

  // A plan that is there already is put on top of what a person has by then.
  await saveProposal(database, 'project-begun', checkFeatures(proposal([{ name: 'one' }])));
  await put(folder, 'later.md', 'not committed\n');
  expect(await create()).toMatchObject({ proposed: true, head });
});
