import { join } from 'node:path';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Dependencies } from '../activities/dependencies.ts';
import { createAnswerFeed } from '../activities/model/answer-feed.ts';
import { createKeepEmbeddingCall } from '../activities/model/model-calls.ts';
import { createProjectMessages } from '../activities/project/project-messages.ts';
import { startProject } from '../activities/project/start-project.ts';
import { observeEmbedder } from '../activities/telemetry/observe-embedder.ts';
import { observeModels } from '../activities/telemetry/observe-models.ts';
import { loadPrompts } from '../agents/load-prompts.ts';
import { checkModels, checkNamedModels } from '../agents/settings/check-models.ts';
import { describeSettings } from '../agents/settings/describe-settings.ts';
import { skillsFolder } from '../agents/skills/skill-folder.ts';
import type { Configuration } from '../config/configuration.ts';
import { packageRoot } from '../config/package-root.ts';
import { stackId } from '../config/stack-id.ts';
import { createEventBus } from '../db/bus/create-event-bus.ts';
import { connectDatabase } from '../db/connection/database.ts';
import { openMemoryStore } from '../db/memory/memory-store.ts';
import { secretsOfServers } from '../domain/mcp/mcp-server.ts';
import { callSettingsOf, valuesOf } from '../domain/model/call-settings-of-role.ts';
import { modelOf } from '../domain/model/model-of-role.ts';
import { holdSecrets } from '../domain/secrets/scrub.ts';
import type { Telemetry } from '../domain/telemetry/telemetry.ts';
import { createProjectRepository } from '../git/repository/create-project-repository.ts';
import { openProjectRepository } from '../git/repository/open-project-repository.ts';
import { refusePrivateFolder } from '../git/repository/private-folders.ts';
import { createMcpClients } from '../mcp/mcp-clients.ts';
import { createModels } from '../models/create-models.ts';
import { localModelFolder } from '../models/embedding/local-model.ts';
import { openEmbedder } from '../models/embedding/open-embedder.ts';
import { imageTag } from '../sandbox/image/image-tag.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';
import { createMcpSandboxes } from './mcp-sandboxes.ts';
import { maintainSoon } from './schedule-maintenance.ts';

/** Opens the connections and clients that activities need. */
export async function createDependencies(
  configuration: Configuration,
  client: Client,
  sandboxes: Sandboxes,
  environment: Record<string, string | undefined>,
  telemetry: Telemetry,
): Promise<{ dependencies: Dependencies; close(): Promise<void> }> {
  const { database: settings, memory: settingsOfMemory, model, agents, sandbox, home, projects } = configuration;
  const { url } = settings;
  if (!url) throw new Error('Expected DATABASE_URL, the address of Postgres; `longhaul up` sets it for its workers.');
  const { log } = telemetry;
  const { taskQueue } = configuration.temporal;
  const prompts = loadPrompts(agents.promptsFolder); // first: only a person can fix an invalid prompt
  const refusePrivate = (folder: string) => refusePrivateFolder(folder, { ...projects, dataFolder: home });
  const connection = connectDatabase(url);
  const onStreamFailure = (error: unknown) => log.warn('Live output is unavailable.', { error });
  const bus = createEventBus({ settings: configuration.events, databaseUrl: url, onTrouble: onStreamFailure });
  const { database } = connection;
  const onUsageFailure = (error: unknown) => log.warn('Could not record the usage of an embedding call.', { error });
  const { notice, ...opened } = await openEmbedder(
    settingsOfMemory.modelFolder ?? localModelFolder(home),
    model,
    createKeepEmbeddingCall(database, onUsageFailure),
  );
  const onNotice = (text: string) => log.warn(text);
  if (notice) onNotice(notice);
  const memory = await openMemoryStore({
    uri: settingsOfMemory.uri,
    language: settingsOfMemory.language,
    ...observeEmbedder(opened, telemetry.tracer),
    onNotice,
    onCompactionDue: () =>
      void maintainSoon(client, taskQueue).catch((error: unknown) =>
        log.warn('Could not start early memory maintenance; the schedule runs it later.', { error }),
      ),
  });
  holdSecrets(secretsOfServers(configuration.mcpServers));
  const defaultImage = sandbox.image ?? (await imageTag(packageRoot()));
  const { rules } = agents.permissions;
  const mcpSandboxes = createMcpSandboxes(configuration.mcpServers, {
    ...{ sandboxes, rules, stack: stackId(home), image: defaultImage },
  });
  const mcp = createMcpClients(configuration.mcpServers, { startInSandbox: mcpSandboxes.start, onNotice });
  void mcp.tools(); // starts the servers before a model call needs them; troubles are notices
  return {
    dependencies: {
      database,
      memory,
      models: observeModels(createModels(model), telemetry),
      telemetry,
      answers: createAnswerFeed(bus, onStreamFailure),
      modelOf: (role, project) => modelOf(model, role, project).value,
      callSettingsOf: (role) => valuesOf(callSettingsOf(model, role)),
      settings: {
        describe: () => describeSettings(configuration, environment),
        checkModels: (options) => checkModels(configuration, { ...options, environment }),
        checkNamed: (names) => checkNamedModels(configuration, names),
      },
      mcp,
      mcpSandboxes: mcpSandboxes.names,
      prompts,
      agents,
      sandboxes,
      defaultImage,
      projectsFolder: projects.folder,
      projectRoots: projects.roots,
      refusePrivateFolder: refusePrivate,
      skillsFolder: skillsFolder(home),
      chatFolder: (chatId) => join(home, 'chats', chatId.replace(/[^\w.-]+/g, '-')),
      encrypts: configuration.temporal.payloadKeys.length > 0,
      startProject: (request) => startProject({ database, client, taskQueue }, request),
      projectMessages: createProjectMessages({ database, client, taskQueue }),
      isRunning: (workflowId) => isRunning(client, workflowId),
      openRepository: async (folder, branch) => openProjectRepository({ folder: await refusePrivate(folder), branch }),
      createRepository: (folder, { adopt }) => createProjectRepository({ folder, adopt }),
    },
    async close() {
      await Promise.all([memory.close(), mcp.close()]);
      await mcpSandboxes
        .close()
        .catch((error: unknown) => log.warn('Could not remove the sandboxes of MCP servers.', { error }));
      await Promise.all([bus.close(), connection.close()]);
    },
  };
}

async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
