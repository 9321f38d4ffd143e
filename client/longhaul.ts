import { createProjectTools } from '../agents/project-tools/create-project-tools.ts';
import type { ProjectTools } from '../agents/project-tools/project-tools.ts';
import type { Configuration } from '../config/configuration.ts';
import { readConfiguration } from '../config/configuration.ts';
import { withEnvFile } from '../config/environment.ts';
import type { ReadSettings } from '../config/load-configuration.ts';
import { findChat, listChats, resolveChat } from '../db/chats/chats.ts';
import type { Reader } from '../db/memory/memory.ts';
import type { MemoryStore } from '../db/memory/memory-store.ts';
import { readLineageRanges } from '../db/project/lineage.ts';
import { listProjects, resolveProject } from '../db/project/projects.ts';
import { type PurposeSum, sumByPurpose } from '../db/usage/sum-usage.ts';
import type { Chat } from '../domain/chat/chat.ts';
import type { Project } from '../domain/project/project.ts';
import type { Transcript } from '../domain/run/transcript.ts';
import { holdSecrets, secretsOf } from '../domain/secrets/scrub.ts';
import { type AgentRuns, createAgentRuns } from './agent-runs/agent-runs.ts';
import { createWorkerCheck } from './agent-runs/create-worker-check.ts';
import type { ChatHandle } from './chat/chat-handle.ts';
import type { NewChat } from './chat/chat-row.ts';
import { createChatHandle } from './chat/create-chat-handle.ts';
import { expectAddress, findAddresses } from './connection/addresses.ts';
import { createDatabaseAccess } from './connection/database-access.ts';
import { createTemporalAccess } from './connection/temporal-access.ts';
import { createInbox, type Inbox } from './inbox/inbox.ts';
import { createMadeTools, type MadeTools } from './made-tools/made-tools.ts';
import { type Consolidations, createConsolidations } from './memory/consolidations.ts';
import { createReindexing, type Reindexing } from './memory/reindexing.ts';
import { createProjectHandle } from './project/create-project-handle.ts';
import { expectWorker } from './project/expect-worker.ts';
import type { ProjectHandle } from './project/project-handle.ts';
import { readAnyTranscript } from './project/read-transcript.ts';
import { createProjectControl } from './project-tools/create-project-control.ts';
import type { StartRequest } from './start/check-goal.ts';
import { checkGoal } from './start/check-goal.ts';
import { refuseUnscriptedGoal } from './start/refuse-scripted-model.ts';
import { startProject } from './start/start-project.ts';
import type { StoreChoices } from './stores/choose-store.ts';
import { connectStores } from './stores/connect-stores.ts';
import type { Stores } from './stores/stores.ts';
import { createRunningWorker, type RunningWorker } from './worker/running-worker.ts';

export interface ConnectOptions {
  /** If absent, read from the environment and, for what needs it (memories, made tools, chats), from `longhaul.config.ts`. */
  configuration?: Configuration | undefined;
  /** The process's own if absent. */
  environment?: Record<string, string | undefined> | undefined;
  /** Stores of your own in place of Longhaul's. */
  stores?: StoreChoices | undefined;
}

/** Everything a program can do with Longhaul; the CLI uses the same API. */
export interface Longhaul {
  /**
   * Starts a project; resolves once it exists and is running.
   * @throws {ClientError} `InvalidInput` or `NoWorker`, before anything was started.
   * @throws {DatabaseError} `FolderInUse`, before anything was started.
   * @throws {GitError} `FolderIsFile`, `FolderNotEmpty`, `FolderNotWritable`, `FolderPrivate` or `BareRepository`, before anything was started.
   * @throws {ClientError} `ProjectNotStarted` with its workflow's message, also if what it needs was unavailable and it may start later.
   * @throws {ClientError} `NoWorker` if no worker picked it up in time; one will start it later.
   */
  startProject(request: StartRequest): Promise<ProjectHandle>;
  /**
   * The project with this id, name, or start of an id.
   * @throws {DatabaseError} `UnknownProject`
   */
  project(reference: string): Promise<ProjectHandle>;
  /** The reader whose memories a project sees on its current lineage: the `scope` of a search in `openMemories`. */
  memoryReader(reference: string): Promise<Reader>;
  /**
   * The chat with this name or id, or a new one that its first message creates under that name or, without one, under a name derived from the
   * message. It belongs to the given person and project. A new chat with `memory: false` leaves no trace beyond its transcript. A new chat with `fresh` is never an existing one: its first
   * message throws a `DatabaseError` (`ChatNameUnusable`) if another client has created a chat of that name in the meantime.
   */
  chat(name?: string, options?: Omit<NewChat, 'name'>): Promise<ChatHandle>;
  /**
   * The chat with this id, name, or start of an id.
   * @throws {DatabaseError} `UnknownChat`
   */
  existingChat(reference: string): Promise<ChatHandle>;
  /**
   * Every message of a run, by its id, or of a chat's current branch, by the chat's id, name or the start of its id.
   * @throws {DatabaseError} `UnknownRun`
   */
  transcript(reference: string): Promise<Transcript>;
  /** Starts a run of one of your own agents and waits for its result; the same as `runs.run`. */
  run: AgentRuns['run'];
  /** Starts a run of one of your own agents; the same as `runs.start`. */
  start: AgentRuns['start'];
  /** Runs of your own agents. */
  runs: AgentRuns;
  /** What agents and programs keep: memory by key, conversations, tasks, preferences, knowledge, audit. */
  stores: Stores;
  /** What waits for a person, in all projects. */
  inbox: Inbox;
  /** Most recently used first. */
  chats(): Promise<Chat[]>;
  /** Consolidations of the memories, started by hand or by schedule: what they merged and what they propose. */
  consolidations: Consolidations;
  /** Re-embeds the memories in the background after a change of the embedding model. */
  reindexing: Reindexing;
  /** Usage of model calls made for the memories rather than for a run, by purpose: vectors from a remote model, summaries of related memories. */
  memoryCost(): Promise<PurposeSum[]>;
  /** What the running worker was started with. */
  worker: RunningWorker;
  /** The tools that agents and people made. */
  tools: MadeTools;
  /** The project tools for any model, declared in `projectToolDeclarations`; `longhaul mcp` serves them. Each throws a `LonghaulError` if it is refused. */
  projectTools: ProjectTools;
  /** Has a worker remove the sandboxes that no running workflow uses; returns their names. Workers do the same when they start. */
  pruneSandboxes(): Promise<string[]>;
  /** Newest first. */
  listProjects(): Promise<Project[]>;
  /** Ends progress callbacks and closes connections; projects keep running. */
  close(): Promise<void>;
}

/**
 * Connects to the servers that the configuration names, otherwise to those of the running stack (`longhaul up`). Connects to Temporal on first use.
 * @throws {ClientError} `StackNotRunning`, `DatabaseUnreachable`
 */
export async function connectLonghaul(options: ConnectOptions = {}): Promise<Longhaul> {
  const environment = withEnvFile(options.environment ?? process.env);
  const configuration = options.configuration ?? readConfiguration(environment);
  const { home } = configuration;
  const addresses = findAddresses(configuration);
  const url = expectAddress(addresses, 'database', home);
  holdSecrets(secretsOf({ ...environment, DATABASE_URL: url }));
  const database = createDatabaseAccess(url, configuration.events);
  const temporal = createTemporalAccess({
    configuration,
    environment,
    address: () => expectAddress(addresses, 'temporal', home),
  });
  const { taskQueue } = configuration.temporal;
  const settings: ReadSettings = async () => {
    return options.configuration ?? loadConfiguration(environment);
  };
  async function findAgent(reference: string): Promise<string> {
    const { findAgentFolder } = await import('./agents/agent-folder.ts');
    return findAgentFolder(reference, { home, folder: process.cwd() });
  }
  const deps = {
    findAgent,
    environment,
    settings,
    home,
    database,
    temporal,
    taskQueue,
    encrypts: configuration.temporal.payloadKeys.length > 0,
    places: async () =>
      configuration.temporal.address ? undefined : { ...(await settings()).projects, dataFolder: home },
  };
  const closing = new AbortController();
  async function start(request: StartRequest): Promise<ProjectHandle> {
    await refuseUnscriptedGoal({ configuration, settings }, checkGoal(request.goal));
    const handle = createProjectHandle(deps, await startProject(deps, request));
    if (request.onProgress) void handle.follow(request.onProgress, { signal: closing.signal });
    return handle;
  }
  let memory: Promise<MemoryStore> | undefined;
  async function openMemory(): Promise<MemoryStore> {
    const { openStore } = await import('./memory/open-store.ts'); // takes long to load
    memory ??= settings()
      .then((all) => openStore(all, (text) => console.warn(text)))
      .catch((error: unknown) => {
        memory = undefined; // so that the next call tries again
        throw error;
      });
    return memory;
  }
  const runs = createAgentRuns({ database, temporal, taskQueue, expectWorker: createWorkerCheck(taskQueue) });
  const stores = await connectStores({ database, temporal, taskQueue, memory: openMemory }, options.stores);
  const control = createProjectControl({ start, handle: (id) => createProjectHandle(deps, id), memory: openMemory });
  return {
    startProject: start,
    async project(reference) {
      const { id } = await database.use((query) => resolveProject(query, reference));
      return createProjectHandle(deps, id);
    },
    memoryReader: (reference) =>
      database.use(async (query) => {
        const { id, lineageId } = await resolveProject(query, reference);
        return { project: { id, ranges: await readLineageRanges(query, lineageId) } };
      }),
    async chat(name, { memory = true, fresh = false, ...owner } = {}) {
      const row = name === undefined ? undefined : await database.use((query) => findChat(query, name));
      return createChatHandle(deps, row ? { row } : { name, memory, fresh, ...owner });
    },
    existingChat: async (reference) =>
      createChatHandle(deps, { row: await database.use((query) => resolveChat(query, reference)) }),
    transcript: (reference) => database.use((query) => readAnyTranscript(query, reference)),
    run: runs.run,
    start: runs.start,
    runs,
    stores,
    inbox: createInbox({ database, temporal, taskQueue }),
    chats: () => database.use(listChats),
    consolidations: createConsolidations({ database, temporal, taskQueue, settings }),
    reindexing: createReindexing({ temporal, taskQueue, settings }),
    memoryCost: () => database.use(sumByPurpose),
    worker: createRunningWorker({ temporal, taskQueue }),
    tools: createMadeTools({ database, temporal, taskQueue }),
    projectTools: createProjectTools({ use: database.use, control }),
    pruneSandboxes: () =>
      temporal.use(async (client) => {
        await expectWorker(client, taskQueue);
        return client.workflow.execute<() => Promise<string[]>>('pruneSandboxesWorkflow', {
          workflowId: `sandbox-prune-${taskQueue}`,
          taskQueue,
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
      }),
    listProjects: () => database.use(listProjects),
    async close() {
      closing.abort();
      await (await memory?.catch(() => undefined))?.close();
      await Promise.all([database.close(), temporal.close()]);
    },
  };
}

/**
 * Reads the configuration from the environment and, if there is one, from `longhaul.config.ts`.
 * @throws {ConfigurationError}
 */
export async function loadConfiguration(environment: Record<string, string | undefined>): Promise<Configuration> {
  const { loadConfiguration: load } = await import('../config/load-configuration.ts');
  return load(environment, () => import('../models/index.ts'));
}
