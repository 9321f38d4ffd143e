import type { SandboxSettings } from '../config/settings/sandbox-settings.ts';
import { stackId } from '../config/stack-id.ts';
import type { Log } from '../domain/telemetry/log.ts';
import { gitErrors } from '../git/error-messages.ts';
import { openProjectRepository } from '../git/repository/open-project-repository.ts';
import { createSandboxes } from '../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../sandbox/docker/host/connect-docker.ts';
import { readHostNetwork } from '../sandbox/docker/host/host-network.ts';
import { readIsolation } from '../sandbox/docker/host/isolation.ts';
import { type RepositoryVerdict, type RepositoryVerification, verifyRepository } from './verify-repository.ts';
import { watchDisk } from './watch-disk.ts';

export interface FolderVerification extends Omit<RepositoryVerification, 'repository' | 'commit' | 'sandboxes'> {
  folder: string;
  /** The head of the branch if absent. */
  commit: string | undefined;
  /** Address of the container host. */
  docker: string;
  environment: Record<string, string | undefined>;
  /** The data folder, whose sandboxes these count as. */
  home: string;
  settings: SandboxSettings;
  /** Where trouble with the disk is said. */
  log: Pick<Log, 'warn'>;
}

/**
 * Verifies the repository in a folder; see `verifyRepository`.
 * @throws {GitError} NotARepository, DetachedHead, or UnknownRevision if there is no such commit.
 */
export async function verifyFolder(request: FolderVerification): Promise<RepositoryVerdict> {
  const { folder, docker, environment, home, settings, log, ...verification } = request;
  const repository = await openProjectRepository({ folder });
  const revision = request.commit ?? 'HEAD';
  const commit = await repository.resolve(revision);
  if (!commit) throw gitErrors.unknownRevision(revision);
  const network = readHostNetwork(environment);
  const sandboxes = createSandboxes({
    docker: connectDocker(docker, { environment }),
    network,
    stack: stackId(home),
    isolation: await readIsolation(settings.isolation),
    diskQuota: settings.disk,
    gatewayImage: verification.image,
    registries: settings.registries,
  });
  const ended = new AbortController();
  const watching = watchDisk(sandboxes, log, ended.signal);
  try {
    return await verifyRepository({ ...verification, repository, commit, sandboxes });
  } finally {
    ended.abort();
    await watching;
  }
}
