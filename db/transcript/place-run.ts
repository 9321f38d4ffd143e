import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { findRun } from './transcript.ts';

/**
 * The place of a run below the run that delegates to it, so that what it uses counts towards the budget of the topmost one.
 * @throws {DatabaseError} `UnknownRun` if the parent does not exist.
 */
export async function placeBelow(query: Queryable, parentId: string) {
  const parent = await findRun(query, parentId);
  if (!parent) throw new DatabaseError('UnknownRun', `Expected the delegating run "${parentId}", found none.`);
  return { parentId, rootId: parent.rootId ?? parent.id, depth: parent.depth + 1 };
}
