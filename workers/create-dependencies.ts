import { join } from 'node:path';
import type { Dependencies } from '../activities/dependencies.ts';
import type { Configuration } from '../config/configuration.ts';
import { homeHash } from '../config/home-hash.ts';
import { packageRoot } from '../config/package-root.ts';
import { connectDatabase } from '../db/database.ts';
import { localModelFolder } from '../db/memory/embedding/local-model.ts';
import { openEmbedder } from '../db/memory/embedding/open-embedder.ts';
import { openMemoryStore } from '../db/memory/memory-store.ts';
import { createProjectRepository } from '../git/create-project-repository.ts';
import { openProjectRepository } from '../git/open-project-repository.ts';
import { createModels } from '../models/create-models.ts';
import { modelOf } from '../models/model-of-role.ts';
import { connectDocker } from '../sandbox/connect-docker.ts';
import { createSandboxes } from '../sandbox/create-sandboxes.ts';
import type { HostNetwork } from '../sandbox/host-network.ts';
import { imageTag } from '../sandbox/image/image-tag.ts';

/** Connects everything that activities need. */
export async function createDependencies(
  configuration: Configuration,
  network: HostNetwork,
): Promise<{ dependencies: Dependencies; close(): Promise<void> }> {
  const { database: settings, memory: settingsOfMemory, model, sandbox, home } = configuration;
  if (!settings.url)
    throw new Error('Expected DATABASE_URL, the address of Postgres; `longhaul up` sets it for its workers.');
  const connection = connectDatabase(settings.url);
  const { embedder, notice } = await openEmbedder(settingsOfMemory.modelFolder ?? localModelFolder(home), model);
  const onNotice = (text: string) => console.warn(text);
  if (notice) onNotice(notice);
  const memory = await openMemoryStore({
    uri: settingsOfMemory.uri,
    language: settingsOfMemory.language,
    embedder,
    onNotice,
  });
  return {
    dependencies: {
      database: connection.database,
      memory,
      models: createModels(model),
      modelOf: (role) => modelOf(model, role),
      sandboxes: createSandboxes({ docker: connectDocker(configuration.docker.host), network, stack: homeHash(home) }),
      defaultImage: sandbox.image ?? (await imageTag(packageRoot())),
      projectsFolder: join(home, 'projects'),
      openRepository: (folder, branch) => openProjectRepository({ folder, branch }),
      createRepository: (folder, { adopt }) => createProjectRepository({ folder, adopt }),
    },
    async close() {
      await memory.close();
      await connection.close();
    },
  };
}
