import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import { Schema } from 'apache-arrow';
import type { NewMemory } from '../../../../db/memory/memory.ts';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { pack, toMemory, toRow, unpack } from '../../../../db/memory/table/rows.ts';
import { memorySchema, schemaVersion, versionKey } from '../../../../db/memory/table/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-derived-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const createdAt = new Date('2026-01-01T00:00:00.123Z');
const strange = 'a\\u b\u001fc \'quoted\' "twice"\n\\';
const memories: NewMemory[] = [
  { id: 'plain', text: 'Amounts are cents', kind: 'fact', scope: 'global', createdAt },
  {
    id: strange,
    text: `${strange}\u001f\u001f amounts`,
    kind: strange,
    scope: 'session',
    projectId: strange,
    sessionId: strange,
    lineageId: strange,
    sequence: 9_007_199_254_740_991,
    source: { id: strange, run: strange, message: 0, commit: strange },
    importance: 0.3,
    createdAt,
  },
  { id: 'project', text: 'amounts of it', kind: 'turn', scope: 'project', projectId: 'p', sessionId: 's', createdAt },
  {
    id: 'place',
    text: 'amounts',
    kind: 'x',
    scope: 'project',
    projectId: 'p',
    lineageId: 'l',
    sequence: 1.5,
    createdAt,
  },
  { id: 'chat', text: 'amounts of a chat', kind: 'turn', scope: 'session', sessionId: 's', createdAt },
  { id: 'lesson', text: 'a\namount', kind: 'lesson', scope: 'global', projectId: 'p\n', lineageId: 'l', createdAt },
  {
    id: 'tagged',
    text: 'tagged amounts',
    kind: 'fact',
    scope: 'global',
    tags: [strange, 'money'],
    expiresAt: new Date('2222-01-01T00:00:00.005Z'),
    createdAt,
  },
];

test('packed values are read as they were', () => {
  for (const memory of memories) {
    const row = toRow(memory, undefined);
    expect(toMemory(unpack(pack(row)))).toEqual({ importance: 0.5, source: {}, origin: 'agent', tags: [], ...memory });
  }
});

test('a table that a newer Longhaul wrote is refused', async () => {
  const uri = join(folder, 'newer');
  const connection = await connect(uri);
  const schema = new Schema(memorySchema(2).fields, new Map([[versionKey, String(schemaVersion + 1)]]));
  (await connection.createEmptyTable('memories', schema, { mode: 'create' })).close();
  connection.close();
  await expect(openMemoryStore({ uri })).rejects.toMatchObject({
    code: 'NewerMemoryTable',
    message: `Expected memories of version ${schemaVersion} at most, found version ${schemaVersion + 1}. Use the newer Longhaul that wrote them.`,
  });
});
