import type { Table } from '@lancedb/lancedb';
import { toRow } from './rows.ts';
import { write } from './write.ts';

/**
 * Takes over the memories of the first version (decisions and lessons). Their vectors are of another model, so they have none until they are embedded
 * again.
 */
export async function migrateFirstVersion(from: Table, to: Table): Promise<void> {
  const rows = await from
    .query()
    .select(['id', 'text', 'kind', 'scope', 'project_id', 'lineage_id', 'sequence', 'source', 'created_at'])
    .toArray();
  const migrated = rows.map((row) =>
    toRow(
      {
        id: row.id,
        text: row.text,
        kind: row.kind,
        scope: row.scope,
        projectId: row.project_id,
        lineageId: row.lineage_id,
        sequence: row.sequence,
        source: { id: row.source },
        createdAt: new Date(row.created_at),
      },
      undefined,
    ),
  );
  // Existing rows were taken over by a process that was killed before it could finish, and may have been changed since.
  if (migrated.length) await write(() => to.mergeInsert('id').whenNotMatchedInsertAll().execute(migrated));
}
