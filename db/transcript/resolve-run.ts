import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { findRun, type RunRow, readRuns } from './transcript.ts';

/**
 * A run of a project, by its id or the part of it after the project's id (`s3-work`).
 * @throws {DatabaseError} `UnknownRun` listing the project's latest runs.
 */
export async function resolveRun(query: Queryable, projectId: string, reference: string): Promise<RunRow> {
  const run = (await findRun(query, reference)) ?? (await findRun(query, `${projectId}-${reference}`));
  if (run?.projectId === projectId) return run;
  const known = (await readRuns(query, projectId)).map(({ id }) => id.replace(`${projectId}-`, ''));
  throw new DatabaseError(
    'UnknownRun',
    `No run of ${projectId} is called "${reference}". ${known.length ? `The latest: ${known.slice(-8).join(', ')}. \`longhaul sessions ${projectId}\` lists all.` : 'There are none yet.'}`,
  );
}
