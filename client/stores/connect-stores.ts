import type { Database } from '../../db/connection/database.ts';
import type { MemoryStore } from '../../db/memory/memory-store.ts';
import { readLineageRanges } from '../../db/project/lineage.ts';
import { findProject } from '../../db/project/projects.ts';
import { createAuditStore } from '../../db/stores/audit-store.ts';
import { type ConversationHooks, createConversationStore } from '../../db/stores/conversation-store.ts';
import { exportAgentRuns } from '../../db/stores/export-agent-runs.ts';
import { createKeyValueStore } from '../../db/stores/key-value-store.ts';
import { createKnowledgeStore } from '../../db/stores/knowledge-store.ts';
import { createPreferenceStore } from '../../db/stores/preference-store.ts';
import { purgeAgentRuns } from '../../db/stores/purge-agent-runs.ts';
import { purgeProject } from '../../db/stores/purge-project.ts';
import { createTaskStore } from '../../db/stores/task-store.ts';
import type { Purgeable, PurgeSubject, StoreName } from '../../domain/stores/purge.ts';
import { checkStore, methodsOf } from '../../domain/stores/rules/check-store.ts';
import type { StoreSet } from '../../domain/stores/stores.ts';
import { createChatWorkflow } from '../chat/chat-workflow.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import type { StoreChoices } from './choose-store.ts';
import { createStores } from './create-stores.ts';
import type { PurgeReport, Stores } from './stores.ts';

export interface StoreDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
  memory(): Promise<MemoryStore>;
}

/** The stores in Longhaul's Postgres and LanceDB, except for those that were chosen. */
export function connectStores(deps: StoreDependencies, choices: StoreChoices = {}): Promise<Stores> {
  const { database, memory } = deps;
  const hooks = conversationHooks(deps);
  const stores: StoreSet = {
    memory: through(database, 'memory', createKeyValueStore),
    conversations: through(database, 'conversations', (given) => createConversationStore(given, hooks)),
    tasks: through(database, 'tasks', createTaskStore),
    preferences: through(database, 'preferences', createPreferenceStore),
    knowledge: checkStore(
      'knowledge',
      createKnowledgeStore({
        memories: memory,
        ranges: (projectId) =>
          database.use(async (query) => {
            const project = await findProject(query, projectId);
            return project ? readLineageRanges(query, project.lineageId) : [];
          }),
      }),
    ),
    audit: through(database, 'audit', createAuditStore),
  };
  return createStores(choices, stores, {
    purge: (subject, options) => database.use((query) => purgeBeside(query, subject, options)),
    async *export(owner) {
      yield* await database.use(async (query) => exportAgentRuns(query, owner));
    },
  });
}

async function purgeBeside(query: Database, subject: PurgeSubject, options: { dryRun: boolean }): Promise<PurgeReport> {
  const none: PurgeReport = { removed: [], left: [] };
  // Refused before its runs are removed, if the project has not ended.
  const planned = 'project' in subject ? await purgeProject(query, subject.project, { dryRun: true }) : none;
  const ofRuns = await purgeAgentRuns(query, subject, options);
  if ('project' in subject && !options.dryRun) await purgeProject(query, subject.project, options);
  return { removed: [...ofRuns, ...planned.removed], left: planned.left };
}

/** A store whose methods check what they are given, and name the problems of its server. */
function through<Name extends StoreName>(
  { use }: DatabaseAccess,
  name: Name,
  create: (database: Database) => StoreSet[Name],
): StoreSet[Name] {
  const method = (called: string) => [
    called,
    (...parameters: unknown[]) =>
      use(async (database) =>
        (create(database) as unknown as Record<string, CallableFunction>)[called]?.(...parameters),
      ),
  ];
  const exported: Purgeable['export'] = async function* (owner) {
    yield* await use(async (database) => create(database).export(owner));
  };
  return checkStore(name, { ...Object.fromEntries(methodsOf(name).map(method)), export: exported } as StoreSet[Name]);
}

/** A conversation's workflow ends before its rows are removed; a worker removes its sandbox, files and memories. */
function conversationHooks({ temporal, taskQueue }: StoreDependencies): ConversationHooks {
  const each = async (ids: string[], work: (workflow: ReturnType<typeof createChatWorkflow>) => Promise<void>) => {
    for (const id of ids) await work(createChatWorkflow(temporal, taskQueue, id, id));
  };
  return {
    beforeDelete: (ids) => each(ids, (workflow) => workflow.terminate('The conversation is deleted.')),
    afterDelete: (ids) => each(ids, (workflow) => workflow.discard()),
  };
}
