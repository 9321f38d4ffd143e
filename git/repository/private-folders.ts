import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { nearestExisting } from './check-project-folder.ts';

/** Where a person's own things are, and where projects may be. All absolute. */
export interface ProjectPlaces {
  /** The person's home folder. */
  userHome: string;
  /** Longhaul's data folder. */
  dataFolder: string;
  /** Folders below which anyone who can start a workflow may open projects. */
  roots: string[];
}

/** Folders of the system, with all below them. */
const systemFolders = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/lost+found', '/proc', '/sbin', '/sys'],
  ...['/usr', '/run/user', '/run/secrets', '/run/docker', '/run/systemd'],
  ...['/var/backups', '/var/cache', '/var/db', '/var/lib', '/var/log', '/var/run', '/var/spool'],
  ...['/Applications', '/Library', '/System', '/private/etc', '/private/var/db', '/private/var/root'],
];
/** Folders that hold those of several users or programs: a project may be below them, but not be them. */
const sharedFolders = [
  ...['/', '/home', '/media', '/mnt', '/opt', '/run', '/srv', '/tmp', '/var', '/var/tmp'],
  ...['/Users', '/Volumes', '/private', '/private/tmp', '/private/var'],
];
const homesOfUsers = ['/home', '/Users'];

interface PrivatePlace {
  folder: string;
  what: string;
}

/**
 * Returns the folder's real path, whatever symbolic links lead to it; it need not exist.
 * @throws {GitError} FolderPrivate for a home folder, a folder in it that begins with a dot, the data folder, and folders of the system.
 */
export async function refusePrivateFolder(folder: string, places: ProjectPlaces): Promise<string> {
  const real = await realFolder(folder);
  const [userHome, dataFolder] = await Promise.all([realFolder(places.userHome), realFolder(places.dataFolder)]);
  const found = findPrivatePlace(real, userHome, dataFolder);
  if (!found) return real;
  // A root may be in such a place, as the projects folder is in the data folder.
  for (const root of await Promise.all(places.roots.map(realFolder))) {
    if (isBelow(real, root) && isWithin(root, found.folder)) return real;
  }
  throw gitErrors.folderPrivate(folder, real, found.what);
}

/** The real path of a folder that need not exist. */
export async function realFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  const existing = await nearestExisting(path);
  return join(await realpath(existing), relative(existing, path));
}

/** Whether a folder is another one or below it. */
export function isWithin(folder: string, parent: string): boolean {
  return folder === parent || isBelow(folder, parent);
}

export function isBelow(folder: string, parent: string): boolean {
  return folder !== parent && folder.startsWith(parent.endsWith(sep) ? parent : parent + sep);
}

function findPrivatePlace(real: string, userHome: string, dataFolder: string): PrivatePlace | undefined {
  if (isWithin(userHome, real)) return { folder: real, what: 'your home folder, or a folder that holds it' };
  if (isWithin(dataFolder, real)) return { folder: real, what: "Longhaul's data folder, or a folder that holds it" };
  if (isWithin(real, dataFolder)) return { folder: dataFolder, what: "in Longhaul's data folder" };
  // A service's user may have `/` as home.
  const home = userHome !== sep && isBelow(real, userHome) ? userHome : homeOfUser(real);
  if (home !== undefined) {
    if (home === real) return { folder: real, what: 'the home folder of a user' };
    const [first = ''] = relative(home, real).split(sep);
    return first.startsWith('.')
      ? { folder: join(home, first), what: `in ${join(home, first)}, where programs keep settings and keys` }
      : undefined;
  }
  const system = systemFolders.find((one) => isWithin(real, one));
  if (system !== undefined) return { folder: system, what: `in ${system}, a folder of the system` };
  return sharedFolders.includes(real) ? { folder: real, what: 'a folder of the system' } : undefined;
}

/** The home folder, of whichever user, that holds a path; undefined if it is in none. */
function homeOfUser(path: string): string | undefined {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (homesOfUsers.includes(dirname(folder)) && basename(folder) !== '') return folder;
  }
  return isWithin(path, '/root') ? '/root' : undefined;
}
