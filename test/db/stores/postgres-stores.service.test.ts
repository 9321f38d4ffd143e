import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readHistory } from '../../../db/chats/read-history.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { createAuditStore } from '../../../db/stores/audit-store.ts';
import { createConversationStore } from '../../../db/stores/conversation-store.ts';
import { createKeyValueStore } from '../../../db/stores/key-value-store.ts';
import { createKnowledgeStore } from '../../../db/stores/knowledge-store.ts';
import { createPreferenceStore } from '../../../db/stores/preference-store.ts';
import { createTaskStore } from '../../../db/stores/task-store.ts';
import { auditContract } from '../../../testing/store-contract/audit-contract.ts';
import { conversationsContract } from '../../../testing/store-contract/conversations-contract.ts';
import { knowledgeContract } from '../../../testing/store-contract/knowledge-contract.ts';
import { memoryContract } from '../../../testing/store-contract/memory-contract.ts';
import { preferencesContract } from '../../../testing/store-contract/preferences-contract.ts';
import { tasksContract } from '../../../testing/store-contract/tasks-contract.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
const folder = mkdtempSync(join(tmpdir(), 'longhaul-stores-'));
const memories = await openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
afterAll(async () => {
  await memories.close();
  rmSync(folder, { recursive: true, force: true });
});

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

describe('knowledge', () => {
  const store = createKnowledgeStore({ memories: async () => memories, ranges: async () => [] });
  test.each(knowledgeContract)('$title', ({ run }) => run(store));
});

describe('conversations seen by chats', () => {
  const store = createConversationStore(database);

  test('an answer that a branch gives to an earlier message is shown with it', async () => {
    const { id } = await store.create();
    await store.append(id, { role: 'user', text: 'a' }, { role: 'assistant', text: 'b' }, { role: 'user', text: 'c' });
    const call = { id: 'c1', name: 'look', arguments: '{}' };
    await store.append(id, { role: 'assistant', text: '', toolCalls: [call] });
    await store.append(
      id,
      { role: 'tool', toolCallId: 'c1', text: 'No.', failed: true },
      { role: 'assistant', text: 'd' },
    );
    const shown = async () =>
      (await readHistory(database, id)).map(({ said, answer, status }) => [said, answer, status]);
    expect(await shown()).toEqual([
      ['a', 'b', 'ANSWERED'],
      ['c', 'd', 'ANSWERED'],
    ]);
    expect((await readHistory(database, id, { last: 1 }))[0]?.steps).toEqual([
      { type: 'tool', tool: 'look', arguments: '{}', failed: true, result: 'No.' },
      { type: 'text', text: 'd' },
    ]);
    const asked = (await store.messages(id)).find(({ text }) => text === 'c');
    await store.branch(id, asked?.number ?? 0);
    await store.append(id, { role: 'assistant', text: 'd2' });
    expect(await shown()).toEqual([
      ['a', 'b', 'ANSWERED'],
      ['c', 'd2', 'ANSWERED'],
    ]);
    expect((await readHistory(database, id, { last: 1 })).map(({ answer }) => answer)).toEqual(['d2']);
  });
});
