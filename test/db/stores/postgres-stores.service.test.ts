import { describe, expect, test } from '@jest/globals';
import { readHistory } from '../../../db/chats/read-history.ts';
import { createAuditStore } from '../../../db/stores/audit-store.ts';
import { createConversationStore } from '../../../db/stores/conversation-store.ts';
import { createKeyValueStore } from '../../../db/stores/key-value-store.ts';
import { createPreferenceStore } from '../../../db/stores/preference-store.ts';
import { createTaskStore } from '../../../db/stores/task-store.ts';
import { auditContract } from '../../../testing/store-contract/audit-contract.ts';
import { conversationsContract } from '../../../testing/store-contract/conversations-contract.ts';
import { memoryContract } from '../../../testing/store-contract/memory-contract.ts';
import { preferencesContract } from '../../../testing/store-contract/preferences-contract.ts';
import { tasksContract } from '../../../testing/store-contract/tasks-contract.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();

describe('memory', () => {
  test.each(memoryContract)('$title', ({ run }) => run(createKeyValueStore(database)));
});

describe('preferences', () => {
  test.each(preferencesContract)('$title', ({ run }) => run(createPreferenceStore(database)));
});

describe('tasks', () => {
  test.each(tasksContract)('$title', ({ run }) => run(createTaskStore(database)));
});

describe('audit', () => {
  test.each(auditContract)('$title', ({ run }) => run(createAuditStore(database)));
});

describe('conversations', () => {
  test.each(conversationsContract)('$title', ({ run }) => run(createConversationStore(database)));
});
