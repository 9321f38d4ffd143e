import { checkStore } from '../rules/check-store.ts';
import type { StoreSet } from '../stores.ts';
import { InMemoryAuditStore } from './audit.ts';
import { InMemoryConversationStore } from './conversations.ts';
import { InMemoryKeyValueStore } from './key-value.ts';
import { InMemoryKnowledgeStore } from './knowledge.ts';
import { InMemoryPreferenceStore } from './preferences.ts';
import { InMemoryTaskStore } from './tasks.ts';

/** A store of each kind that keeps what it holds as long as the process lives; they need no server. */
export function createInMemoryStores(): StoreSet {
  return {
    memory: checkStore('memory', new InMemoryKeyValueStore()),
    conversations: checkStore('conversations', new InMemoryConversationStore()),
    tasks: checkStore('tasks', new InMemoryTaskStore()),
    preferences: checkStore('preferences', new InMemoryPreferenceStore()),
    knowledge: checkStore('knowledge', new InMemoryKnowledgeStore()),
    audit: checkStore('audit', new InMemoryAuditStore()),
  };
}
