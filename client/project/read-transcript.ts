import type { Queryable } from '../../db/connection/database.ts';
import { DatabaseError } from '../../db/database-error.ts';
import { resolveRun } from '../../db/transcript/resolve-run.ts';
import { readSummaries, type SummaryRow } from '../../db/transcript/summaries.ts';
import { findRun, type RunRow, readMessages } from '../../db/transcript/transcript.ts';
import { readUsage, type UsageRow } from '../../db/usage/read-usage.ts';
import type { Message } from '../../domain/run/message.ts';

export interface Transcript {
  run: RunRow;
  /** All messages, including those that a summary replaced. */
  messages: Message[];
  /** Summaries, each of which replaced the messages up to one of them, from some turn on. */
  summaries: SummaryRow[];
  /** The usage of each of its model calls. */
  usage: UsageRow[];
}

/**
 * A run's messages, by the run's id, or by the part of it after the project's id (`s3-work`).
 * @throws {DatabaseError} `UnknownRun` naming the project's latest runs.
 */
export async function readTranscript(query: Queryable, projectId: string, reference: string): Promise<Transcript> {
  return transcriptOf(query, await resolveRun(query, projectId, reference));
}

/**
 * The messages of a run, by its id: a run of a chat, or one that the chat delegated to.
 * @throws {DatabaseError} `UnknownRun`
 */
export async function readChatTranscript(query: Queryable, runId: string): Promise<Transcript> {
  const run = await findRun(query, runId);
  if (run && run.chatId !== null) return transcriptOf(query, run);
  throw new DatabaseError(
    'UnknownRun',
    `No run of a chat has the id "${runId}". \`longhaul chats show <name>\` lists the runs of its delegates.`,
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
