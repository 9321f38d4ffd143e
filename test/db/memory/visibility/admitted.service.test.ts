import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, connect, type Table } from '@lancedb/lancedb';
import type { MemoryFilter, MemoryScope, Reader } from '../../../../db/memory/memory.ts';
import { toMemory, toRow } from '../../../../db/memory/table/rows.ts';
import { memorySchema } from '../../../../db/memory/table/schema.ts';
import { isAdmitted } from '../../../../db/memory/visibility/admitted.ts';
import { toCondition, toLooseCondition } from '../../../../db/memory/visibility/condition.ts';
import { foundBy } from '../../../../db/memory/visibility/readers.ts';

const now = new Date('2026-06-01');
const whole = Number.MAX_SAFE_INTEGER;
const folder = mkdtempSync(join(tmpdir(), 'longhaul-admitted-'));
let connection: Connection;
let table: Table;
let all: ReturnType<typeof toMemory>[];

/** One row for every combination of the fields that decide who sees a memory; when it expires goes round. */
beforeAll(async () => {
  connection = await connect(folder);
  table = await connection.createEmptyTable('memories', memorySchema(2), { mode: 'create' });
  const rows: Array<Record<string, unknown>> = [];
  for (const scope of ['global', 'project', 'session'] satisfies MemoryScope[])
    for (const projectId of [undefined, 'p', 'q'])
      for (const sessionId of [undefined, 's', 't'])
        for (const [lineageId, sequence] of projectId ? places : noPlace)
          for (const source of sources)
            for (const [by, lineage, at] of supersessions) {
              const expiresAt = expiries[rows.length % expiries.length];
              const id = `${rows.length}`;
              const place = { scope, projectId, sessionId, lineageId, sequence, source };
              const memory = { id, text: `memory ${id}`, kind: 'fact', ...place };
              rows.push({
                ...toRow({ ...memory, expiresAt }, undefined),
                superseded_by: by,
                superseded_lineage: lineage,
                superseded_sequence: at,
                found_by: foundBy(memory, { superseded: by !== null }),
              });
            }
  await table.add(rows);
  all = (await table.query().toArray()).map(toMemory);
});
afterAll(() => {
  table.close();
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const noPlace = [[undefined, undefined]] as const;
const places = [...noPlace, ['l1', 3], ['l1', 9], ['l1', undefined], ['l2', 3]] as const;
const sources = [
  undefined,
  { run: 'l1' },
  { run: 'l1', message: 3 },
  { run: 'l1', message: 9 },
  { run: 'l2', message: 9 },
];
const expiries = [undefined, new Date('2026-05-01'), new Date('2026-07-01')];
const supersessions = [
  [null, null, null],
  ['newer', null, null],
  ['newer', 'l1', 3],
  ['newer', 'l1', 9],
  ['newer', 'l2', 9],
] as const;

const ranges = {
  'no lineage': [],
  'one that was never reverted': [{ lineageId: 'l1', upToSequence: whole }],
  'one that was cut': [{ lineageId: 'l1', upToSequence: 5 }],
  'one that goes on from another': [
    { lineageId: 'l1', upToSequence: 5 },
    { lineageId: 'l2', upToSequence: whole },
  ],
};
const readers: Array<[string, Reader]> = Object.entries(ranges).flatMap(([name, of]) => [
  [name, { project: { id: 'p', ranges: of } }],
  [`${name}, in a session`, { project: { id: 'p', ranges: of }, sessionId: 's' }],
]);
readers.push(['a chat', { sessionId: 's' }], ['nobody', {}]);
for (const [name, branch] of Object.entries(ranges))
  readers.push([`a branch of a chat, as ${name}`, { sessionId: 's', branch }]);

test.each(readers)('a search of %s excludes exactly what its condition excludes', async (_, reader) => {
  for (const reach of ['own', 'foreign', undefined] as const) {
    for (const history of [false, true]) {
      const filter: MemoryFilter = { scope: { ...reader, reach }, history };
      const loose = await idsOf(toLooseCondition(filter));
      const admitted = all.filter((memory) => isAdmitted(memory, filter, now)).map(({ id }) => id);
      expect(admitted.filter((id) => !loose.has(id))).toEqual([]); // the loose condition would hide them for good
      expect(new Set(admitted)).toEqual(await idsOf(toCondition(filter, now)));
    }
  }
});

async function idsOf(condition: string): Promise<Set<string>> {
  const rows = await table.query().where(condition).select(['id']).toArray();
  return new Set(rows.map(({ id }) => String(id)));
}
