import { asc, eq } from 'drizzle-orm';
import type { Database } from '../../db/connection/database.ts';
import { type FeatureState, readFeatures } from '../../db/features/features.ts';
import { readCheckpoints } from '../../db/project/checkpoints.ts';
import { readDecisions } from '../../db/project/decisions.ts';
import { findProject } from '../../db/project/projects.ts';
import { lineages } from '../../db/schema/projects.ts';
import type { Checkpoint } from '../../domain/project/checkpoint.ts';
import type { JudgedDecision } from '../../domain/project/decision.ts';
import { type ProjectStatusView, readProjectStatus } from '../project/project-status.ts';
import { readSessionSummaries, type SessionSummary } from '../project/session-summaries.ts';

/** Everything that a report shows. */
export interface Report {
  status: ProjectStatusView;
  branch: string;
  summary: string | null;
  features: FeatureState[];
  sessions: SessionSummary[];
  decisions: JudgedDecision[];
  /** Of every lineage. */
  checkpoints: Checkpoint[];
  /** Ids of the checkpoints in the current lineage. */
  present: string[];
  reverts: Array<{ checkpoint: string; keptRef: string | null; reason: string | null; at: Date }>;
}

/** @throws {DatabaseError} `UnknownProject` */
export async function readReport(database: Database, projectId: string): Promise<Report> {
  const status = await readProjectStatus(database, projectId);
  const [project, features, sessions, decisions, checkpoints, present, all] = await Promise.all([
    findProject(database, projectId),
    readFeatures(database, projectId),
    readSessionSummaries(database, projectId),
    readDecisions(database, projectId),
    readCheckpoints(database, projectId, { all: true }),
    readCheckpoints(database, projectId),
    database.select().from(lineages).where(eq(lineages.projectId, projectId)).orderBy(asc(lineages.createdAt)),
  ]);
  return {
    status,
    branch: project?.branch ?? '',
    summary: project?.summary ?? null,
    features,
    sessions,
    decisions,
    checkpoints,
    present: present.map(({ id }) => id),
    reverts: all.flatMap(({ checkpointId, keptRef, reason, createdAt }) =>
      checkpointId === null ? [] : [{ checkpoint: checkpointId, keptRef, reason, at: createdAt }],
    ),
  };
}
