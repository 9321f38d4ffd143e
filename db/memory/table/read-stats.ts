import type { Table } from '@lancedb/lancedb';
import { toCondition } from '../visibility/condition.ts';

export interface TableStats {
  memories: number;
  /** Memories that are no longer found: superseded or expired. */
  history: number;
  byKind: Record<string, number>;
  /** Names with types. */
  indexes: string[];
}

export async function readStats(table: Table): Promise<TableStats> {
  const [memories, current, rows, indexes] = await Promise.all([
    table.countRows(),
    table.countRows(toCondition({ scope: 'everything' }, new Date())),
    table.query().select(['kind']).toArrow(),
    table.listIndices(),
  ]);
  const byKind: Record<string, number> = {};
  for (const kind of rows.getChild('kind') ?? []) byKind[String(kind)] = (byKind[String(kind)] ?? 0) + 1;
  return {
    memories,
    history: memories - current,
    byKind,
    indexes: indexes.map(({ name, indexType }) => `${name} (${indexType})`),
  };
}
