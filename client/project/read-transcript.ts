import type { Queryable } from '../../db/database.ts';
import { UnknownRunError } from '../../db/errors.ts';
import type { Message } from '../../db/transcript/message.ts';
import {
  findRun,
  type RunRow,
  readMessages,
  readRuns,
  readUsage,
  type UsageRow,
} from '../../db/transcript/transcript.ts';

export interface Transcript {
  run: RunRow;
  messages: Message[];
  /** What each of its calls of a model used. */
  usage: UsageRow[];
}

/**
 * A run's messages, by the run's id or what follows the project's id in it (`s3-work`).
 * @throws {UnknownRunError} naming the project's latest runs.
 */
export async function readTranscript(query: Queryable, projectId: string, reference: string): Promise<Transcript> {
  const run = (await findRun(query, reference)) ?? (await findRun(query, `${projectId}-${reference}`));
  if (run?.projectId === projectId) {
    return { run, messages: await readMessages(query, run.id), usage: await readUsage(query, run.id) };
  }
  const known = (await readRuns(query, projectId)).map(({ id }) => id.replace(`${projectId}-`, ''));
  throw new UnknownRunError(
    `No run of ${projectId} is called "${reference}". ${known.length ? `The latest: ${known.slice(-8).join(', ')}. \`longhaul sessions\` lists all.` : 'There is none yet.'}`,
  );
}
