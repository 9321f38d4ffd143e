import { count, eq, inArray, or, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { isTerminal } from '../../domain/project/statuses.ts';
import type { Removed } from '../../domain/stores/purge.ts';
import { StoreError } from '../../domain/stores/store-error.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { consolidations, memoryChanges } from '../schema/consolidations.ts';
import { lineageRanges, lineages, projects, proposals, startRequests } from '../schema/projects.ts';
import { requests } from '../schema/requests.ts';
import { events, messages, runs, steeringMessages, summaries, toolCalls } from '../schema/runs.ts';
import { usage } from '../schema/usage.ts';
import {
  changedChecks,
  checkpoints,
  decisionOutcomes,
  decisions,
  featureChanges,
  featureDependencies,
  features,
  progress,
  sessions,
  verifications,
} from '../schema/work.ts';

/**
 * Removes a project that has ended, with every row of it, in one transaction, and lists what there was; with `dryRun`, only lists it. A project that
 * does not exist has nothing.
 * @throws {StoreError} `ProjectNotEnded`
 */
export async function purgeProject(
  database: Database,
  projectId: string,
  { dryRun }: { dryRun: boolean },
): Promise<{ removed: Removed[]; left: string[] }> {
  return database.transaction(async (query) => {
    const [project] = await query.select().from(projects).where(eq(projects.id, projectId)).for('update');
    if (!project) return { removed: [], left: [] };
    if (!isTerminal(project.status)) {
      throw new StoreError(
        'ProjectNotEnded',
        `${projectId} is ${project.status}. End it first: \`longhaul abandon ${projectId}\`. Nothing was removed.`,
      );
    }
    const removed: Removed[] = [];
    for (const [kind, table, which] of rowsOf(query, projectId)) {
      const [found] = await query.select({ rows: count() }).from(table).where(which);
      if (!dryRun) await query.delete(table).where(which);
      const rows = found?.rows ?? 0;
      if (rows) removed.push({ store: 'project', kind, id: projectId, what: project.name, rows });
    }
    return {
      removed,
      left: [
        `The folder ${project.folder} with its git repository is yours: delete it yourself.`,
        "Temporal keeps the histories of the project's workflows, with ids and short previews, until its retention ends.",
      ],
    };
  });
}

/** Every table with rows of a project, those that refer to others first. */
function rowsOf(query: Transaction, projectId: string): Array<[kind: string, table: PgTable, which: SQL | undefined]> {
  const isOfProject = ({ projectId: column }: { projectId: AnyPgColumn }) => eq(column, projectId);
  const ownRuns = query.select({ id: runs.id }).from(runs).where(eq(runs.projectId, projectId));
  const ownFeatures = query.select({ id: features.id }).from(features).where(eq(features.projectId, projectId));
  const ownLineages = query.select({ id: lineages.id }).from(lineages).where(eq(lineages.projectId, projectId));
  const ownPasses = query
    .select({ id: consolidations.id })
    .from(consolidations)
    .where(eq(consolidations.projectId, projectId));
  const { featureId, dependsOnId } = featureDependencies;
  return [
    ['event', events, isOfProject(events)],
    ['steering message', steeringMessages, isOfProject(steeringMessages)],
    ['request', requests, isOfProject(requests)],
    ['tool call', toolCalls, inArray(toolCalls.runId, ownRuns)],
    ['model call', usage, inArray(usage.runId, ownRuns)],
    ['summary', summaries, inArray(summaries.runId, ownRuns)],
    ['message', messages, inArray(messages.runId, ownRuns)],
    ['run', runs, isOfProject(runs)],
    ['outcome of a decision', decisionOutcomes, isOfProject(decisionOutcomes)],
    ['decision', decisions, isOfProject(decisions)],
    ['progress entry', progress, isOfProject(progress)],
    ['checkpoint', checkpoints, isOfProject(checkpoints)],
    ['verification', verifications, isOfProject(verifications)],
    ['session', sessions, isOfProject(sessions)],
    ['changed check', changedChecks, isOfProject(changedChecks)],
    ['change of a feature', featureChanges, isOfProject(featureChanges)],
    ['dependency', featureDependencies, or(inArray(featureId, ownFeatures), inArray(dependsOnId, ownFeatures))],
    ['feature', features, isOfProject(features)],
    ['change of memories', memoryChanges, inArray(memoryChanges.consolidationId, ownPasses)],
    ['consolidation', consolidations, eq(consolidations.projectId, projectId)],
    ['lineage range', lineageRanges, inArray(lineageRanges.lineageId, ownLineages)],
    ['lineage', lineages, eq(lineages.projectId, projectId)],
    ['proposal', proposals, eq(proposals.projectId, projectId)],
    ['start request', startRequests, eq(startRequests.projectId, projectId)],
    ['project', projects, eq(projects.id, projectId)],
  ];
}
