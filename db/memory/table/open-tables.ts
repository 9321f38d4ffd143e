import { connect, Session, type Table } from '@lancedb/lancedb';
import { applyLanceSettings } from './lance-settings.ts';
import { openTable } from './open-table.ts';

export interface MemoryTables {
  /** Looks for the newest version before every operation, since other processes write too. */
  table: Table;
  /** The same table, for searches: looks only when told to (`checkoutLatest`), once for all queries of a search. */
  searched: Table;
  close(): void;
}

/** Opens the table of the memories, or creates it. */
export async function openTables(
  uri: string,
  options: { dimensions: number; language: string },
): Promise<MemoryTables> {
  applyLanceSettings(process.env);
  const session = new Session(); // both share the index cache
  const connection = await connect(uri, { readConsistencyInterval: 0 }, session);
  const table = await openTable(connection, options);
  const forSearches = await connect(uri, {}, session);
  const searched = await forSearches.openTable(table.name);
  return {
    table,
    searched,
    close() {
      for (const each of [searched, forSearches, table, connection]) each.close();
    },
  };
}
