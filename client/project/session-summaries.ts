import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/connection/database.ts';
import { readSessions } from '../../db/project/sessions.ts';
import { runs } from '../../db/schema/runs.ts';
import { usage } from '../../db/schema/usage.ts';
import { features, progress } from '../../db/schema/work.ts';
import { readRuns } from '../../db/transcript/transcript.ts';
import { isAnswer } from '../../db/usage/sum-usage.ts';
import type { SessionStatus } from '../../domain/project/statuses.ts';

/** One session with what it used and what came of it. */
export interface SessionSummary {
  id: string;
  number: number;
  feature: string;
  attempt: number;
  status: SessionStatus;
  reason: string | null;
  commit: string | null;
  filesChanged: string[];
  tokens: number;
  turns: number;
  startedAt: Date;
  endedAt: Date | null;
  runs: Array<{ id: string; role: string; model: string; status: string; turns: number }>;
}

/** All sessions of a project, of every lineage, oldest first. */
export async function readSessionSummaries(query: Queryable, projectId: string): Promise<SessionSummary[]> {
  const [sessions, allRuns, names, entries, used] = await Promise.all([
    readSessions(query, projectId),
    readRuns(query, projectId),
    query.select({ id: features.id, name: features.name }).from(features).where(eq(features.projectId, projectId)),
    query
      .select({ id: progress.id, filesChanged: progress.filesChanged })
      .from(progress)
      .where(eq(progress.projectId, projectId)),
    query
      .select({
        sessionId: runs.sessionId,
        tokens: sql<number>`coalesce(sum(coalesce(${usage.inputTokens}, 0) + coalesce(${usage.outputTokens}, 0)), 0)::float8`,
        turns: sql<number>`(count(*) filter (where ${isAnswer}))::int`,
      })
      .from(usage)
      .innerJoin(runs, eq(runs.id, usage.runId))
      .where(eq(runs.projectId, projectId))
      .groupBy(runs.sessionId),
  ]);
  return sessions.map((session) => {
    const spent = used.find(({ sessionId }) => sessionId === session.id);
    return {
      id: session.id,
      number: session.number,
      feature: names.find(({ id }) => id === session.featureId)?.name ?? session.featureId,
      attempt: session.attempt,
      status: session.status,
      reason: session.reason,
      commit: session.commit,
      // A session's progress entry has the session's id.
      filesChanged: entries.find(({ id }) => id === session.id)?.filesChanged ?? [],
      tokens: spent?.tokens ?? 0,
      turns: spent?.turns ?? 0,
      startedAt: session.startedAt,
      endedAt: session.endedAt,
      runs: allRuns
        .filter(({ sessionId }) => sessionId === session.id)
        .map(({ id, role, model, status, turns }) => ({ id, role, model, status, turns })),
    };
  });
}
