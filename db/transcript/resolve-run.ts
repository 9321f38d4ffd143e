import { describeAmbiguous, matchReference } from '../../domain/match-reference.ts';
import { listChats } from '../chats/chats.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { findRun, type RunRow, readRuns } from './transcript.ts';

/**
 * A run of a project, by its id or the start of it, with or without the project's id (`s3-work`).
 * @throws {DatabaseError} `UnknownRun` listing the project's latest runs, or those that match.
 */
export async function resolveRun(query: Queryable, projectId: string, reference: string): Promise<RunRow> {
  const all = await readRuns(query, projectId);
  const fitting = matchReference(all, reference, `${projectId}-`);
  if (fitting.length === 1 && fitting[0]) return fitting[0];
  const shorten = ({ id }: RunRow) => id.replace(`${projectId}-`, '');
  if (fitting.length > 1)
    throw new DatabaseError('UnknownRun', describeAmbiguous(reference, 'runs', fitting.map(shorten)));
  const known = all.map(shorten).slice(-8).join(', ');
  throw new DatabaseError(
    'UnknownRun',
    `No run of ${projectId} is called "${reference}". ${known ? `The latest: ${known}. \`longhaul sessions ${projectId}\` lists all.` : 'There are none yet.'}`,
  );
}

/**
 * Any run, by its id; or the run of a chat's current branch, by the chat's id, name or the start of its id.
 * @throws {DatabaseError} `UnknownRun`
 */
export async function resolveAnyRun(query: Queryable, reference: string): Promise<RunRow> {
  const run = await findRun(query, reference);
  if (run) return run;
  const fitting = matchReference(await listChats(query), reference, 'chat-');
  if (fitting.length > 1) {
    const ids = fitting.map(({ id }) => id);
    throw new DatabaseError('UnknownRun', describeAmbiguous(reference, 'chats', ids));
  }
  const ofChat = await findRun(query, fitting[0]?.headRunId ?? '');
  if (ofChat) return ofChat;
  throw new DatabaseError(
    'UnknownRun',
    `No run and no conversation is called "${reference}". \`longhaul sessions\` lists conversations, \`longhaul sessions <project>\` the runs of a project. A short id, such as s1-work, needs its project after it.`,
  );
}
