import { describe, test } from '@jest/globals';
import { InMemoryAuditStore } from '../../../domain/stores/in-memory/audit.ts';
import { InMemoryConversationStore } from '../../../domain/stores/in-memory/conversations.ts';
import { InMemoryKeyValueStore } from '../../../domain/stores/in-memory/key-value.ts';
import { InMemoryKnowledgeStore } from '../../../domain/stores/in-memory/knowledge.ts';
import { InMemoryPreferenceStore } from '../../../domain/stores/in-memory/preferences.ts';
import { InMemoryTaskStore } from '../../../domain/stores/in-memory/tasks.ts';
import { auditContract } from '../../../testing/store-contract/audit-contract.ts';
import { conversationsContract } from '../../../testing/store-contract/conversations-contract.ts';
import { knowledgeContract } from '../../../testing/store-contract/knowledge-contract.ts';
import { memoryContract } from '../../../testing/store-contract/memory-contract.ts';
import { preferencesContract } from '../../../testing/store-contract/preferences-contract.ts';
import { tasksContract } from '../../../testing/store-contract/tasks-contract.ts';

describe('memory', () => {
  test.each(memoryContract)('$title', ({ run }) => run(new InMemoryKeyValueStore()));
});

describe('preferences', () => {
  test.each(preferencesContract)('$title', ({ run }) => run(new InMemoryPreferenceStore()));
});

describe('tasks', () => {
  test.each(tasksContract)('$title', ({ run }) => run(new InMemoryTaskStore()));
});

describe('audit', () => {
  test.each(auditContract)('$title', ({ run }) => run(new InMemoryAuditStore()));
});

describe('conversations', () => {
  test.each(conversationsContract)('$title', ({ run }) => run(new InMemoryConversationStore()));
});

describe('knowledge', () => {
  test.each(knowledgeContract)('$title', ({ run }) => run(new InMemoryKnowledgeStore()));
});
