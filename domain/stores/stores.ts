import type { AuditStore } from './audit.ts';
import type { ConversationStore } from './conversations.ts';
import type { KeyValueStore } from './key-value.ts';
import type { KnowledgeStore } from './knowledge.ts';
import type { PreferenceStore } from './preferences.ts';
import type { StoreName } from './purge.ts';
import type { TaskStore } from './tasks.ts';

/** One store of each kind. */
export interface StoreSet {
  memory: KeyValueStore;
  conversations: ConversationStore;
  tasks: TaskStore;
  preferences: PreferenceStore;
  knowledge: KnowledgeStore;
  audit: AuditStore;
}

const ofAll = ['purge', 'export'] as const;

/** The methods of each store, so that one of the user's own can be checked before it is used. */
export const storeMethods: { [Name in StoreName]: ReadonlyArray<keyof StoreSet[Name] & string> } = {
  memory: ['get', 'set', 'compareAndSet', 'delete', 'list', 'clear', ...ofAll],
  conversations: [
    ...(['create', 'get', 'list', 'rename', 'delete', 'append', 'messages', 'branches', 'branch'] as const),
    ...(['edit', 'regenerate', 'fork', ...ofAll] as const),
  ],
  tasks: ['create', 'get', 'list', 'change', 'setStatus', 'next', 'claim', 'checkpoint', 'fail', 'delete', ...ofAll],
  preferences: ['get', 'set', 'delete', 'all', 'resolve', ...ofAll],
  knowledge: [
    ...(['addFact', 'getFact', 'facts', 'changeFact', 'supersede', 'forget', 'search'] as const),
    ...(['addSummary', 'summaries', ...ofAll] as const),
  ],
  audit: ['record', 'entries', 'recordError', 'errors', 'resolveError', 'measure', 'summarize', ...ofAll],
};
