import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/connection/database.ts';
import { readDecisions } from '../../db/project/decisions.ts';
import { toolCalls } from '../../db/schema/runs.ts';
import { progress } from '../../db/schema/work.ts';
import { readSteeringMessages } from '../../db/steering/read-steering-messages.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Message } from '../../domain/run/message.ts';
import { withoutRefused } from '../model/conversation-for-model.ts';
import type { FactRows } from './format-facts.ts';
import { listFiles, listOpenProblems } from './list-work.ts';

/** `messages` are all of the run's, `upTo` is the last one to summarize; the agent still sees the later ones. */
export async function readFacts(
  database: Database,
  run: AgentRun,
  messages: Message[],
  upTo: number,
): Promise<FactRows> {
  const [steered, decisions, notes, calls] = await Promise.all([
    run.chatId === undefined ? readSteeringMessages(database, run.runId, upTo) : [],
    run.projectId === undefined ? [] : readDecisions(database, run.projectId),
    run.sessionId === undefined ? [] : readNotes(database, run.sessionId),
    database.select().from(toolCalls).where(eq(toolCalls.runId, run.runId)),
  ]);
  const isOld = ({ number }: Message) => number <= upTo;
  const old = messages.filter(isOld);
  const isOwn = ({ sessionId }: (typeof decisions)[number]) =>
    run.sessionId !== undefined && sessionId === run.sessionId;
  return {
    steered,
    chatted: run.chatId === undefined ? [] : wordsOf(withoutRefused(messages).filter(isOld)),
    earlierDecisions: decisions.filter((row) => !isOwn(row)),
    decisions: decisions.filter(isOwn),
    notes,
    problems: listOpenProblems(old, calls),
    files: listFiles(old, calls),
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

/** What a person said in a chat, without what they were told beside it. */
function wordsOf(messages: Message[]): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content.said ?? content.text);
}
