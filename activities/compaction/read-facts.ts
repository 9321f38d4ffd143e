import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/connection/database.ts';
import { toolCalls } from '../../db/schema/runs.ts';
import { progress } from '../../db/schema/work.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Message } from '../../domain/run/message.ts';
import type { Owner } from '../run/owners/owner.ts';
import type { FactRows } from './format-facts.ts';
import { listFiles, listOpenProblems } from './list-work.ts';

/** `messages` are all of the run's, `upTo` is the last one to summarize; the agent still sees the later ones. */
export async function readFacts(
  database: Database,
  owner: Owner,
  run: AgentRun,
  messages: Message[],
  upTo: number,
): Promise<FactRows> {
  const [{ steered, chatted, decisions }, notes, calls] = await Promise.all([
    owner.readFacts(run, messages, upTo),
    run.sessionId === undefined ? [] : readNotes(database, run.sessionId),
    database.select().from(toolCalls).where(eq(toolCalls.runId, run.runId)),
  ]);
  const old = messages.filter(({ number }) => number <= upTo);
  const isOwn = ({ sessionId }: (typeof decisions)[number]) =>
    run.sessionId !== undefined && sessionId === run.sessionId;
  return {
    steered,
    chatted,
    earlierDecisions: decisions.filter((row) => !isOwn(row)),
    decisions: decisions.filter(isOwn),
    notes,
    problems: listOpenProblems(old, calls),
    files: listFiles(old, calls),
    hasDiff: run.owner.kind === 'project',
  };
}

/** The notes that the session's agents logged; the entry of the session itself names its feature. */
async function readNotes(database: Database, sessionId: string): Promise<string[]> {
  const rows = await database
    .select({ outcome: progress.outcome })
    .from(progress)
    .where(and(eq(progress.sessionId, sessionId), isNull(progress.featureId)))
    .orderBy(asc(progress.sequence));
  return rows.map(({ outcome }) => outcome);
}
