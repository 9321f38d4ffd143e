import type { Queryable } from '../../db/connection/database.ts';
import { resolveAnyRun, resolveRun } from '../../db/transcript/resolve-run.ts';
import { readSummaries } from '../../db/transcript/summaries.ts';
import { type RunRow, readMessages } from '../../db/transcript/transcript.ts';
import { readUsage } from '../../db/usage/read-usage.ts';
import type { Transcript } from '../../domain/run/transcript.ts';

/**
 * The messages of a project's run, by the run's id or the start of it, with or without the project's id (`s3-work`).
 * @throws {DatabaseError} `UnknownRun` naming the project's latest runs.
 */
export async function readTranscript(query: Queryable, projectId: string, reference: string): Promise<Transcript> {
  return transcriptOf(query, await resolveRun(query, projectId, reference));
}

/**
 * The messages of any run, by its id; or of a chat's current branch, by the chat's id, name or the start of its id.
 * @throws {DatabaseError} `UnknownRun`
 */
export async function readAnyTranscript(query: Queryable, reference: string): Promise<Transcript> {
  return transcriptOf(query, await resolveAnyRun(query, reference));
}

async function transcriptOf(query: Queryable, run: RunRow): Promise<Transcript> {
  return {
    run,
    messages: await readMessages(query, run.id),
    summaries: await readSummaries(query, run.id),
    usage: await readUsage(query, run.id),
  };
}
