import type { Table } from '@lancedb/lancedb';
import type { LineageRange } from '../../../domain/project/lineage-range.ts';
import type { Memory, MemoryCursor, MemoryFilter, NewMemory } from '../memory.ts';
import { charactersOfQuestion } from '../search/memory-query.ts';
import { changeRow } from '../table/change-row.ts';
import { quote, quoteAll } from '../table/quote.ts';
import { isBeyond, readByIds } from '../table/read-memories.ts';
import { readRows, toMemory } from '../table/rows.ts';
import { columnsOfMemory } from '../table/schema.ts';
import { setSuperseded } from '../table/supersede.ts';
import { updateRows } from '../table/write.ts';
import { refineFactor } from '../vectors/vector-index.ts';
import { columnsOfAdmission, isAdmitted, placeInHistory } from '../visibility/admitted.ts';
import { toCondition, toLooseCondition } from '../visibility/condition.ts';
import { foundBy } from '../visibility/readers.ts';
import { isSameAudience, readerOf, toAudienceCondition } from './same-audience.ts';
import { staysBefore, toStayingCondition } from './stays-before.ts';

export interface VectorMemory extends Memory {
  vector?: Float32Array | undefined;
}

/** What decides whether a memory stays when another one says the same. */
export interface NearMemory extends Pick<Memory, 'id' | 'text' | 'createdAt' | 'expiresAt'> {
  /** Cosine of the two vectors; absent unless both are of the same model. */
  similarity?: number | undefined;
}

/** The operations of the store that a consolidation needs besides searches. */
export interface ConsolidationAccess {
  /** Current memories after a cursor, oldest first. Memories of what was said or read are never consolidated and are left out. */
  walk(options: {
    after?: MemoryCursor | undefined;
    projectId?: string | undefined;
    since?: Date | undefined;
    limit: number;
  }): Promise<VectorMemory[]>;
  /** Those of the ids that exist. */
  getWithVectors(ids: string[]): Promise<VectorMemory[]>;
  /**
   * The nearest memories of the same kind and with the same readers, by the memory's own vector, or by its words if it has none. `staying`: only
   * those that would stay if both said the same.
   */
  near(
    memory: VectorMemory,
    ranges: LineageRange[],
    options: { limit: number; staying?: boolean | undefined },
  ): Promise<NearMemory[]>;
  /** Marks memories as superseded by others, all in one write; those that yet another memory has superseded are left as they are. */
  replace(pairs: ReadonlyArray<{ id: string; by: NewMemory }>): Promise<void>;
  /** Undoes `replace` for those memories that are still superseded by this one. */
  restore(ids: string[], by: string): Promise<void>;
  /** Replaces the tags of memories. */
  retag(memories: ReadonlyArray<{ id: string; tags: string[] }>): Promise<void>;
}

/** Kinds that are never consolidated: who said it when, or where it was read, would be lost. */
const kindsLeftOut = ['turn', 'document'];

/** Memories read per memory wanted: about half of the nearest were created later than the one looked up, and do not stay before it. */
const readPerWanted = 3;

/** Partitions of the vector index that are searched: texts that say the same lie in the nearest ones. */
const partitionsLookedInto = 16;

export function createConsolidationAccess(table: Table): ConsolidationAccess {
  const columns = [...columnsOfMemory, 'vector'];
  const nearColumns = ['id', 'text', 'created_at', 'expires_at']; // many memories are looked up, and each column takes time

  return {
    async walk({ after, projectId, since, limit }) {
      const conditions = [
        toCondition({ scope: 'everything', after: since }, new Date()),
        `kind not in ${quoteAll(kindsLeftOut)}`,
        ...(projectId === undefined ? [] : [`project_id = ${quote(projectId)}`]),
      ];
      if (after) conditions.push(isBeyond(after, 'newer'));
      const rows = await table
        .query()
        .where(conditions.join(' and '))
        .select(columns)
        .orderBy([
          { columnName: 'created_at', ascending: true },
          { columnName: 'id', ascending: true },
        ])
        .limit(limit)
        .toArray();
      return rows.map(toVectorMemory);
    },
    async getWithVectors(ids) {
      if (!ids.length) return [];
      return (
        await table
          .query()
          .where(`id in ${quoteAll(ids)}`)
          .select(columns)
          .toArray()
      ).map(toVectorMemory);
    },
    async near(memory, ranges, { limit, staying }) {
      const found = await nearLoosely(memory, ranges, { limit, staying });
      if (found) return found;
      const audience = toAudienceCondition(memory, ranges, new Date());
      const condition = staying ? `${audience} and ${toStayingCondition(memory)}` : audience;
      const text = memory.text.slice(0, charactersOfQuestion).toWellFormed();
      const query =
        memory.vector && memory.model !== undefined
          ? table
              .query()
              .nearestTo(memory.vector)
              .distanceType('cosine')
              .where(`model = ${quote(memory.model)} and ${condition}`)
              .nprobes(partitionsLookedInto)
              .refineFactor(refineFactor)
              .select([...nearColumns, '_distance'])
          : table
              .query()
              .fullTextSearch(text, { columns: ['text'] })
              .where(condition)
              .select([...nearColumns, '_score']);
      const rows = await query.limit(limit).toArray();
      return rows.map((row) => ({
        id: String(row.id),
        text: String(row.text),
        createdAt: new Date(Number(row.created_at)),
        ...(row.expires_at != null && { expiresAt: new Date(Number(row.expires_at)) }),
        ...(row._distance != null && { similarity: 1 - Number(row._distance) }),
      }));
    },
    async replace(pairs) {
      const replaced = new Map(
        (
          await readByIds(
            table,
            pairs.map(({ id }) => id),
          )
        ).map((memory) => [memory.id, memory]),
      );
      // LanceDB cannot infer the type of a column that is null in every row: memories replaced by one that has a place in a history are written
      // separately.
      const placed = pairs.map(({ id, by }) => ({ id, by: by.id, place: placeInHistory(by) }));
      for (const hasPlace of [true, false]) {
        const rows = placed
          .filter(({ id, place }) => replaced.has(id) && (place !== undefined) === hasPlace)
          .map(({ id, by, place }) => ({
            id,
            superseded_by: by,
            ...(place && { superseded_lineage: place.lineageId, superseded_sequence: place.sequence ?? 0 }),
            found_by: foundBy(replaced.get(id) as Memory, { superseded: true }),
          }));
        await updateRows(table, rows, 'target.superseded_by is null or target.superseded_by = source.superseded_by');
      }
    },
    async restore(ids, by) {
      if (!ids.length) return;
      await setSuperseded(table, ids, undefined, `superseded_by = ${quote(by)}`);
    },
    async retag(memories) {
      for (const { id, tags } of memories) await changeRow(table, id, { tags }, undefined);
    },
  };

  /**
   * Searches by a condition that one index answers, then filters the results; undefined if too few of them are left, or if the memory has no vector.
   * All conditions at once take three times as long, and each memory of a consolidation is looked up.
   */
  async function nearLoosely(
    memory: VectorMemory,
    ranges: LineageRange[],
    { limit, staying }: { limit: number; staying?: boolean | undefined },
  ): Promise<NearMemory[] | undefined> {
    if (!memory.vector || memory.model === undefined) return undefined;
    const now = new Date();
    const filter: MemoryFilter = { scope: readerOf(memory, ranges), kinds: [memory.kind] };
    const read = limit * readPerWanted;
    const query = table
      .query()
      .nearestTo(memory.vector)
      .distanceType('cosine')
      .where(toLooseCondition(filter))
      .nprobes(partitionsLookedInto)
      .refineFactor(refineFactor)
      .select(['packed_row', 'model', ...columnsOfAdmission(filter), '_distance'])
      .limit(read);
    const rows = readRows(await query.toArrow(), '_distance');
    const fitting = rows.filter(
      ({ memory: other }) =>
        other.id !== memory.id &&
        other.model === memory.model &&
        isSameAudience(memory, other) &&
        isAdmitted(other, filter, now) &&
        (!staying || staysBefore(other, memory)),
    );
    if (rows.length === read && fitting.length < limit) return undefined;
    return fitting.slice(0, limit).map(({ memory: { id, text, createdAt, expiresAt }, value }) => ({
      id,
      text,
      createdAt,
      ...(expiresAt && { expiresAt }),
      similarity: 1 - value,
    }));
  }
}

function toVectorMemory(row: Record<string, unknown>): VectorMemory {
  const vector = (row.vector as { toArray(): Float32Array } | null)?.toArray();
  return { ...toMemory(row), ...(vector && { vector }) };
}
