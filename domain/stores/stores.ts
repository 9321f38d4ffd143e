import type { AuditStore } from './audit.ts';
import type { ConversationStore } from './conversations.ts';
import type { KeyValueStore } from './key-value.ts';
import type { KnowledgeStore } from './knowledge.ts';
import type { PreferenceStore } from './preferences.ts';
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
