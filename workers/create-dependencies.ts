import { join } from 'node:path';
import { createAnswerFeed } from '../activities/answer-feed.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { loadPrompts } from '../agents/load-prompts.ts';
import type { Configuration } from '../config/configuration.ts';
import { homeHash } from '../config/home-hash.ts';
import { packageRoot } from '../config/package-root.ts';
import { createPostgresEventBus } from '../db/bus/postgres-event-bus.ts';
import { connectDatabase } from '../db/database.ts';
import { localModelFolder } from '../db/memory/embedding/local-model.ts';
import { openEmbedder } from '../db/memory/embedding/open-embedder.ts';
import { openMemoryStore } from '../db/memory/memory-store.ts';
import { createProjectRepository } from '../git/create-project-repository.ts';
import { openProjectRepository } from '../git/open-project-repository.ts';
import { callSettingsOf, valuesOf } from '../models/call-settings-of-role.ts';
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
  const { database: settings, memory: settingsOfMemory, model, agents, sandbox, home } = configuration;
  if (!settings.url)
    throw new Error('Expected DATABASE_URL, the address of Postgres; `longhaul up` sets it for its workers.');
  const prompts = loadPrompts(agents.promptsFolder); // first, since a bad one is a person's to mend
  const connection = connectDatabase(settings.url);
  const untold = (trouble: unknown) =>
    console.warn('What models say cannot be told to watchers at the moment.', trouble);
  const bus = createPostgresEventBus({ url: settings.url, onTrouble: untold });
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
      answers: createAnswerFeed(bus, untold),
      modelOf: (role, project) => modelOf(model, role, project).value,
      callSettingsOf: (role) => valuesOf(callSettingsOf(model, role)),
      prompts,
      agents,
      sandboxes: createSandboxes({ docker: connectDocker(configuration.docker.host), network, stack: homeHash(home) }),
      defaultImage: sandbox.image ?? (await imageTag(packageRoot())),
      projectsFolder: join(home, 'projects'),
      openRepository: (folder, branch) => openProjectRepository({ folder, branch }),
      createRepository: (folder, { adopt }) => createProjectRepository({ folder, adopt }),
    },
    async close() {
      await memory.close();
      await Promise.all([bus.close(), connection.close()]);
    },
  };
}
