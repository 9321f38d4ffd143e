import type { MemoryChangeStatus } from '../../domain/memory/consolidation.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { findChange, type MemoryChangeRow, readChanges } from './changes.ts';
import { findConsolidation } from './consolidations.ts';

/**
 * The change with this id, or those of the consolidation with this id, up to the limit of one read.
 * @throws {DatabaseError} `UnknownConsolidation`
 */
export async function findChangesOf(
  query: Queryable,
  id: string,
  statuses?: MemoryChangeStatus[],
): Promise<MemoryChangeRow[]> {
  const change = await findChange(query, id);
  if (change) return [change];
  if (await findConsolidation(query, id))
    return readChanges(query, { consolidationId: id, ...(statuses && { statuses }) });
  throw new DatabaseError(
    'UnknownConsolidation',
    `Expected the id of a consolidation or of one of its changes, got "${id}". \`longhaul memory consolidations list\` shows them.`,
  );
}
