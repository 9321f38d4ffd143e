import { desc, eq } from 'drizzle-orm';
import type { Database } from '../../db/connection/database.ts';
import { DatabaseError } from '../../db/database-error.ts';
import { type FeatureState, readFeatures } from '../../db/features/features.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import { findProject } from '../../db/project/projects.ts';
import { runs } from '../../db/schema/runs.ts';
import { sessions } from '../../db/schema/work.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import type { NetworkPolicy } from '../../domain/network/network-policy.ts';
import { type FeatureStatus, featureStatuses, isTerminal, type ProjectStatus } from '../../domain/project/statuses.ts';
import { readOverrun } from './budget-view.ts';

/** The current state of a project. */
export interface ProjectStatusView {
  id: string;
  name: string;
  goal: string;
  folder: string;
  /** What its sandboxes reach. */
  network: NetworkPolicy;
  status: ProjectStatus;
  reason: string | null;
  /** For a project that has not ended: why no model is asked, however often the project is resumed. Null while its budgets have something left. */
  overBudget: string | null;
  features: Record<FeatureStatus, number> & { total: number };
  /** The session in progress. */
  current: {
    session: string;
    feature: string;
    attempt: number;
    /** Its latest run. Once its last agent's run has ended, its work is verified and landed. */
    run?: { id: string; role: string; turns: number; hasEnded: boolean };
  } | null;
  sessions: number;
  tokens: { input: number; cached: number; output: number; reasoning: number };
  cost: Cost;
  turns: number;
  startedAt: Date;
  endedAt: Date | null;
  /** Milliseconds from start to end, or to now. */
  elapsedMs: number;
}

/** What the models cost, as far as known. */
export interface Cost {
  /** US dollars. */
  usd: number;
  /** Answers from a model without a price, or without a token count from the provider. */
  unpricedTurns: number;
  /** Calls that broke off, were stopped or got lost, and may still be billed. */
  unknownCalls: number;
}

/** @throws {DatabaseError} `UnknownProject` */
export async function readProjectStatus(database: Database, projectId: string): Promise<ProjectStatusView> {
  const project = await findProject(database, projectId);
  if (!project)
    throw new DatabaseError('UnknownProject', `No project has the id "${projectId}". \`longhaul list\` shows all.`);
  const [features, usage, [latest], count, overrun] = await Promise.all([
    readFeatures(database, projectId),
    sumUsage(database, { projectId }),
    database.select().from(sessions).where(eq(sessions.projectId, projectId)).orderBy(desc(sessions.number)).limit(1),
    database.$count(sessions, eq(sessions.projectId, projectId)),
    isTerminal(project.status) ? undefined : readOverrun(database, projectId, project.settings.budgets ?? {}),
  ]);
  return {
    ...headOf(project),
    overBudget: overrun ?? null,
    features: countFeatures(features),
    current: latest?.status === 'RUNNING' ? await currentOf(database, latest, features) : null,
    sessions: count,
    tokens: {
      input: usage.inputTokens,
      cached: usage.cachedTokens,
      output: usage.outputTokens,
      reasoning: usage.reasoningTokens,
    },
    cost: { usd: usage.costUsd, unpricedTurns: usage.unpricedTurns, unknownCalls: usage.unknownCalls },
    turns: usage.turns,
  };
}

function headOf(project: ProjectRow) {
  const { id, name, goal, folder, settings, status, statusReason: reason, createdAt: startedAt, endedAt } = project;
  const end = isTerminal(status) && endedAt ? endedAt.getTime() : Date.now();
  const { network } = settings;
  return { id, name, goal, folder, network, status, reason, startedAt, endedAt, elapsedMs: end - startedAt.getTime() };
}

async function currentOf(database: Database, session: typeof sessions.$inferSelect, features: FeatureState[]) {
  const [run] = await database
    .select()
    .from(runs)
    .where(eq(runs.sessionId, session.id))
    .orderBy(desc(runs.startedAt))
    .limit(1);
  const feature = features.find((one) => one.id === session.featureId)?.name ?? session.featureId;
  return {
    session: session.id,
    feature,
    attempt: session.attempt,
    ...(run && { run: { id: run.id, role: run.role, turns: run.turns, hasEnded: run.endedAt !== null } }),
  };
}

/** The number of features with each status. */
export function countFeatures(features: Array<{ status: FeatureStatus }>): ProjectStatusView['features'] {
  const counts = Object.fromEntries(featureStatuses.map((status) => [status, 0])) as Record<FeatureStatus, number>;
  for (const { status } of features) counts[status] += 1;
  return { ...counts, total: features.length };
}
