import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { allowFolder } from '../../../activities/project/allow-folder.ts';
import { saveStartRequest } from '../../../db/project/start-requests.ts';
import { refusePrivateFolder } from '../../../git/repository/private-folders.ts';
import { gitFixtureOfFile } from '../../git/git-fixture-of-file.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
const fixture = await gitFixtureOfFile();
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
