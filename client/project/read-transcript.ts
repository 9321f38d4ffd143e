import type { Queryable } from '../../db/database.ts';
import { UnknownRunError } from '../../db/errors.ts';
import { readUsage, type UsageRow } from '../../db/ledger/read-usage.ts';
import type { Message } from '../../db/transcript/message.ts';
import { resolveRun } from '../../db/transcript/resolve-run.ts';
import { readSummaries, type SummaryRow } from '../../db/transcript/summaries.ts';
import { findRun, type RunRow, readMessages } from '../../db/transcript/transcript.ts';

export interface Transcript {
  run: RunRow;
  /** All of them, also those that a summary stood in for. */
  messages: Message[];
  /** What stood in for the messages up to one of them, from one turn on. */
  summaries: SummaryRow[];
  /** What each of its calls of a model used. */
  usage: UsageRow[];
}

/**
 * A run's messages, by the run's id or what follows the project's id in it (`s3-work`).
 * @throws {UnknownRunError} naming the project's latest runs.
 */
export async function readTranscript(query: Queryable, projectId: string, reference: string): Promise<Transcript> {
  return transcriptOf(query, await resolveRun(query, projectId, reference));
}

/**
 * The messages of a chat's run, or of one that it delegated to, by its id.
 * @throws {UnknownRunError}
 */
export async function readChatTranscript(query: Queryable, runId: string): Promise<Transcript> {
  const run = await findRun(query, runId);
  if (run && run.chatId !== null) return transcriptOf(query, run);
  throw new UnknownRunError(
    `No run of a chat has the id "${runId}". \`longhaul chats show <name>\` names those that it delegated to.`,
  );
}

async function transcriptOf(query: Queryable, run: RunRow): Promise<Transcript> {
  return {
    run,
    messages: await readMessages(query, run.id),
    summaries: await readSummaries(query, run.id),
    usage: await readUsage(query, run.id),
  };
}
