import { and, count, eq, gte } from 'drizzle-orm';
import type { DelegationLimits } from '../../domain/run/delegation.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { runs } from '../schema/runs.ts';
import { findRun } from './transcript.ts';

/**
 * The place of a run below the run that delegates to it; with `since`, only runs delegated from then on count towards the limit. The caller must keep
 * others from adding runs to the same project or chat meanwhile.
 * @throws {DatabaseError} `DelegationLimit` if the run would be one too many, or too deep.
 * @throws {DatabaseError} `UnknownRun` if the parent does not exist.
 */
export async function placeBelow(
  query: Queryable,
  parentId: string,
  { maxDepth, maxChildren }: DelegationLimits,
  since?: Date,
) {
  const parent = await findRun(query, parentId);
  if (!parent) throw new DatabaseError('UnknownRun', `Expected the delegating run "${parentId}", found none.`);
  const depth = parent.depth + 1;
  if (depth > maxDepth) {
    throw new DatabaseError(
      'DelegationLimit',
      `Expected runs at most ${maxDepth} levels below the topmost one, got a delegation by ${parentId} to level ${depth}. That run can do the work itself; \`delegation.maxDepth\` in longhaul.config.ts sets the limit.`,
    );
  }
  const [row] = await query
    .select({ children: count() })
    .from(runs)
    .where(and(eq(runs.parentId, parentId), since && gte(runs.startedAt, since)));
  if (row && row.children >= maxChildren) {
    throw new DatabaseError(
      'DelegationLimit',
      `Expected a run to delegate to at most ${maxChildren} others, but ${parentId} already has ${row.children}. That run can do the rest itself; \`delegation.maxChildren\` in longhaul.config.ts sets the limit.`,
    );
  }
  return { parentId, rootId: parent.rootId ?? parent.id, depth };
}
