import { stackId } from '../config/stack-id.ts';
import { gitErrors } from '../git/error-messages.ts';
import { openProjectRepository } from '../git/repository/open-project-repository.ts';
import { createSandboxes } from '../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../sandbox/docker/host/connect-docker.ts';
import { readHostNetwork } from '../sandbox/docker/host/host-network.ts';
import { type RepositoryVerdict, type RepositoryVerification, verifyRepository } from './verify-repository.ts';

export interface FolderVerification extends Omit<RepositoryVerification, 'repository' | 'commit' | 'sandboxes'> {
  folder: string;
  /** The head of the branch if absent. */
  commit: string | undefined;
  /** Address of the container host. */
  docker: string;
  environment: Record<string, string | undefined>;
  /** Hosts that count as package registries beside the known ones. */
  registries: string[];
  /** The data folder, whose sandboxes these count as. */
  home: string;
}

/**
 * Verifies the repository in a folder; see `verifyRepository`.
 * @throws {GitError} NotARepository, DetachedHead, or UnknownRevision if there is no such commit.
 */
export async function verifyFolder(request: FolderVerification): Promise<RepositoryVerdict> {
  const { folder, docker, environment, home, registries, ...verification } = request;
  const repository = await openProjectRepository({ folder });
  const revision = request.commit ?? 'HEAD';
  const commit = await repository.resolve(revision);
  if (!commit) throw gitErrors.unknownRevision(revision);
  const network = readHostNetwork(environment);
  const { image: gatewayImage } = verification;
  const sandboxes = createSandboxes({
    docker: connectDocker(docker),
    network,
    stack: stackId(home),
    gatewayImage,
    registries,
  });
  return verifyRepository({ ...verification, repository, commit, sandboxes });
}
