import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ProjectPlaces, refusePrivateFolder } from '../../../git/repository/private-folders.ts';
import { createGitFixture, type GitFixture } from '../git-fixture.ts';

let fixture: GitFixture;
let places: ProjectPlaces;
beforeAll(async () => {
  fixture = await createGitFixture();
  const dataFolder = join(fixture.home, '.longhaul');
  places = { userHome: fixture.home, dataFolder, roots: [join(dataFolder, 'projects')] };
  await mkdir(join(fixture.home, '.ssh'));
});
afterAll(() => fixture.remove());

const refused = { code: 'FolderPrivate', failureType: 'FolderNotAllowed' };

test.each(['', '.ssh', '.config/gh', '.longhaul', '.longhaul/chats', '..'])(
  'the home folder, what holds it, and what programs keep in it can be no project: ~/%s',
  async (path) => {
    await expect(refusePrivateFolder(join(fixture.home, path), places)).rejects.toMatchObject(refused);
  },
);

test.each([
  '/',
  '/etc',
  '/etc/app',
  '/usr/local/src/app',
  '/var/lib/app',
  '/home',
  '/home/ada',
  '/home/ada/.ssh',
  '/tmp',
])('a folder of the system or of another user can be no project: %s', async (folder) => {
  await expect(refusePrivateFolder(folder, places)).rejects.toMatchObject(refused);
});

test('a symbolic link leads to no folder that is refused by its own name', async () => {
  const link = join(fixture.root, 'innocent');
  await symlink(join(fixture.home, '.ssh'), link);
  await expect(refusePrivateFolder(link, places)).rejects.toMatchObject({
    ...refused,
    message: `${link} (really ${join(fixture.home, '.ssh')}) can't be a project's folder: it is in ${join(fixture.home, '.ssh')}, where programs keep settings and keys, and agents see all of a project's files. Name a folder that holds nothing but the project.`,
  });
  await expect(refusePrivateFolder(join(link, 'new'), places)).rejects.toMatchObject(refused);
});

test('ordinary folders and the projects folder are taken, whether or not they exist', async () => {
  for (const folder of [
    join(fixture.home, 'code', 'app'),
    join(fixture.root, 'app'),
    join(places.dataFolder, 'projects', 'app'),
  ])
    expect(await refusePrivateFolder(folder, places)).toBe(folder);
});

test('a root that holds private folders opens none of them', async () => {
  const wide = { ...places, roots: ['/', fixture.home] };
  for (const folder of [join(fixture.home, '.ssh'), '/etc/app'])
    await expect(refusePrivateFolder(folder, wide)).rejects.toMatchObject(refused);
});
