import { readRequestedFolders } from '../../db/project/start-requests.ts';
import { isBelow, isWithin, realFolder } from '../../git/repository/private-folders.ts';
import type { Dependencies } from '../dependencies.ts';
import { terminalFailure } from '../failures.ts';

type Needs = Pick<Dependencies, 'database' | 'refusePrivateFolder' | 'projectRoots'>;

/**
 * Refuses a folder that no person put down as a project's. Whoever reaches Temporal can start a workflow with any input, and the files of a project
 * are committed and shown to agents. `requested` is the folder of the input; the projects folder's own need no request.
 */
export async function allowFolder(
  { database, refusePrivateFolder, projectRoots }: Needs,
  { projectId, folder }: { projectId: string; folder: string },
): Promise<void> {
  const real = await refusePrivateFolder(folder);
  for (const root of projectRoots) if (isBelow(real, await realFolder(root))) return;
  for (const requested of await readRequestedFolders(database)) {
    if (isWithin(real, await realFolder(requested))) return;
  }
  throw terminalFailure(
    'FolderNotAllowed',
    `No one asked for ${folder} as the folder of a project, so "${projectId}" can't use it. Start it there with \`longhaul start --dir\`, ` +
      `leave "folder" out, name one below ${projectRoots.join(' or ')}, or add a folder to projectRoots in longhaul.config.ts.`,
  );
}
