import type { Pack } from 'tar-stream';
import { SandboxError } from '../../errors.ts';
import { repackGitFolder } from '../../repack-git-folder.ts';
import type { SandboxContainer } from '../commands/run-command.ts';
import { runScript } from '../commands/run-script.ts';
import { agentUser, workspaceFolder } from '../container/container-spec.ts';
import { translateHostErrors } from '../host/host-errors.ts';

/**
 * Fills an empty or half-filled workspace; does nothing if it already holds this commit.
 * @throws {SandboxError} WorkspaceLoaded if it holds another commit.
 */
export async function loadWorkspace(
  sandbox: SandboxContainer,
  gitFolder: NodeJS.ReadableStream,
  commit: string,
): Promise<void> {
  const { archive, broken } = watched(repackGitFolder(gitFolder, { uid: agentUser, gid: agentUser }));
  try {
    const loaded = (await runScript(sandbox, 'prepare-workspace')).toString('utf8').trim();
    if (loaded === commit) return;
    if (loaded !== '') {
      throw new SandboxError(
        'WorkspaceLoaded',
        `Expected sandbox ${sandbox.name} to be empty or at ${commit}, found it at ${loaded}. Open another sandbox for another commit.`,
      );
    }
    await putGitFolder(sandbox, archive, broken);
    await runScript(sandbox, 'check-out', commit);
  } finally {
    archive.destroy();
  }
}

/** The commit that the workspace was filled with; undefined while it is empty or half-filled. */
export async function loadedCommit(sandbox: SandboxContainer): Promise<string | undefined> {
  return (await runScript(sandbox, 'loaded-commit')).toString('utf8').trim() || undefined;
}

/** Replaces the workspace's `.git` by one on branch `work` at the commit; the files stay as they are. */
export async function repairRepository(
  sandbox: SandboxContainer,
  gitFolder: NodeJS.ReadableStream,
  commit: string,
): Promise<void> {
  const { archive, broken } = watched(repackGitFolder(gitFolder, { uid: agentUser, gid: agentUser }));
  try {
    await runScript(sandbox, 'remove-repository');
    await putGitFolder(sandbox, archive, broken);
    await runScript(sandbox, 'repair-repository', commit);
  } finally {
    archive.destroy();
  }
}

/** The source may fail at any time, even before the container host reads the first byte. */
function watched(archive: Pack): { archive: Pack; broken: AbortSignal } {
  const breaking = new AbortController();
  archive.once('error', (error: Error) => breaking.abort(error));
  return { archive, broken: breaking.signal };
}

async function putGitFolder(sandbox: SandboxContainer, archive: Pack, broken: AbortSignal): Promise<void> {
  const file = archive as unknown as NodeJS.ReadableStream;
  try {
    await translateHostErrors(() => sandbox.container.putArchive(file, { path: workspaceFolder, abortSignal: broken }));
  } catch (error) {
    broken.throwIfAborted();
    throw error;
  }
}
