import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type Connection, connect, type Table } from '@lancedb/lancedb';
import { Schema } from 'apache-arrow';
import type { NewMemory } from '../../../../db/memory/memory.ts';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { NewerMemoryTableError } from '../../../../db/memory/table/open-table.ts';
import { pack, unpack } from '../../../../db/memory/table/packed.ts';
import { toMemory, toRow } from '../../../../db/memory/table/rows.ts';
import { derivedColumns, memorySchema, schemaVersion, versionKey } from '../../../../db/memory/table/schema.ts';

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

test('what is packed would not come back as it was', () => {
  for (const memory of memories) {
    const row = toRow(memory, undefined);
    expect(toMemory(unpack(pack(row)))).toEqual({ importance: 0.5, source: {}, tags: [], ...memory });
  }
});

/** A table as version 2 created it. */
async function makeSecondVersion(uri: string): Promise<{ connection: Connection; table: Table }> {
  const connection = await connect(uri);
  const fields = memorySchema(2).fields.filter(({ name }) => !(name in derivedColumns));
  const schema = new Schema(fields, new Map([[versionKey, '2']]));
  const table = await connection.createEmptyTable('memories_v2', schema, { mode: 'create' });
  await table.setUnenforcedPrimaryKey('id');
  return { connection, table };
}

const older = (memory: NewMemory) => {
  const { found_by, packed_row, ...row } = toRow(memory, undefined);
  return row;
};

test('memories of an earlier version would be found no more, or otherwise than if they were written anew', async () => {
  const uri = join(folder, 'earlier');
  const { connection, table } = await makeSecondVersion(uri);
  await table.add(memories.map(older));
  // Both stores find the columns missing and try to add them.
  const [store, other] = await Promise.all([openMemoryStore({ uri }), openMemoryStore({ uri })]);
  await table.checkoutLatest();
  for (const row of await table.query().select(['id', 'found_by', 'packed_row']).toArray()) {
    const wanted = toRow(memories.find(({ id }) => id === row.id) as NewMemory, undefined);
    expect(row.found_by).toBe(wanted.found_by);
    expect(unpack(row.packed_row)).toEqual(unpack(String(wanted.packed_row)));
  }
  const scope = { sessionId: 's', project: { id: 'p', ranges: [{ lineageId: 'l', upToSequence: 5 }] } };
  const found = (await store.search({ query: 'amounts', scope })).map(({ id }) => id).sort();
  expect(found).toEqual(['chat', 'lesson', 'place', 'plain', 'project', 'tagged']);

  // A row by an older Longhaul that is still running and does not know the columns.
  await table.add([older({ id: 'late', text: 'late amounts', kind: 'fact', scope: 'global' })]);
  await store.optimize();
  expect(await store.search({ query: 'late', scope: {} })).toMatchObject([{ id: 'late', text: 'late amounts' }]);
  await Promise.all([store.close(), other.close()]);
  table.close();
  connection.close();
});

test('a Longhaul that is older than the columns would take the table for one of its own', async () => {
  const uri = join(folder, 'newer');
  const { connection, table } = await makeSecondVersion(uri);
  await table.add(memories.map(older));
  await (await openMemoryStore({ uri })).close();
  await table.checkoutLatest();
  const text = async () => (await table.schema()).fields.find(({ name }) => name === 'text');
  expect((await text())?.metadata.get(versionKey)).toBe(String(schemaVersion)); // raised from 2

  // As a later version will do it.
  const raised = { [versionKey]: String(schemaVersion + 1) };
  await table.updateFieldMetadata([{ path: 'text', metadata: raised }]);
  await expect(openMemoryStore({ uri })).rejects.toThrow(NewerMemoryTableError);
  await expect(openMemoryStore({ uri })).rejects.toThrow(
    `Expected memories of version ${schemaVersion} at most, found version ${schemaVersion + 1}.`,
  );
  table.close();
  connection.close();

  const made = join(folder, 'made newer');
  const other = await connect(made);
  const schema = new Schema(memorySchema(2).fields, new Map(Object.entries(raised)));
  (await other.createEmptyTable('memories_v2', schema, { mode: 'create' })).close();
  other.close();
  await expect(openMemoryStore({ uri: made })).rejects.toThrow(NewerMemoryTableError);
});
