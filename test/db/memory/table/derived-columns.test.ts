import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type Connection, connect, type Table } from '@lancedb/lancedb';
import { Schema } from 'apache-arrow';
import type { NewMemory } from '../../../../db/memory/memory.ts';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { pack, unpack } from '../../../../db/memory/table/packed.ts';
import { toMemory, toRow } from '../../../../db/memory/table/rows.ts';
import { derivedColumns, memorySchema, versionKey } from '../../../../db/memory/table/schema.ts';

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
];

test('what is packed would not come back as it was', () => {
  for (const memory of memories) {
    const row = toRow(memory, undefined);
    const { tags, ...read } = toMemory(unpack(pack(row)));
    expect(read).toEqual({ importance: 0.5, source: {}, ...memory });
  }
});

/** A table as version 2 made it. */
async function makeSecondVersion(uri: string): Promise<{ connection: Connection; table: Table }> {
  const connection = await connect(uri);
  const fields = memorySchema(2).fields.filter(({ name }) => !(name in derivedColumns));
  const schema = new Schema(fields, new Map([[versionKey, '2']]));
  const table = await connection.createEmptyTable('memories_v2', schema, { mode: 'create' });
  await table.setUnenforcedPrimaryKey('id');
  return { connection, table };
}

const older = (memory: NewMemory) => {
  const { readers, packed, ...row } = toRow(memory, undefined);
  return row;
};

test('memories of an earlier version would be found no more, or otherwise than if they were written anew', async () => {
  const uri = join(folder, 'earlier');
  const { connection, table } = await makeSecondVersion(uri);
  await table.add(memories.map(older));
  // Two processes that open it at once both want to add the columns.
  const [store, other] = await Promise.all([openMemoryStore({ uri }), openMemoryStore({ uri })]);
  await table.checkoutLatest();
  for (const row of await table.query().select(['id', 'readers', 'packed']).toArray()) {
    const wanted = toRow(memories.find(({ id }) => id === row.id) as NewMemory, undefined);
    expect(row.readers).toBe(wanted.readers);
    expect(unpack(row.packed)).toEqual(unpack(String(wanted.packed)));
  }
  const scope = { sessionId: 's', project: { id: 'p', ranges: [{ lineageId: 'l', upToSequence: 5 }] } };
  const found = (await store.search({ query: 'amounts', scope })).map(({ id }) => id).sort();
  expect(found).toEqual(['chat', 'lesson', 'place', 'plain', 'project']);

  // An older Longhaul that still runs does not know the columns.
  await table.add([older({ id: 'late', text: 'late amounts', kind: 'fact', scope: 'global' })]);
  await store.optimize();
  expect(await store.search({ query: 'late', scope: {} })).toMatchObject([{ id: 'late', text: 'late amounts' }]);
  await Promise.all([store.close(), other.close()]);
  table.close();
  connection.close();
});
