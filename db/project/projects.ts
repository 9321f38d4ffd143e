import { and, desc, eq, notInArray, sql } from 'drizzle-orm';
import { describeAmbiguous, matchReference } from '../../domain/match-reference.ts';
import type { ProjectSettings } from '../../domain/project/settings.ts';
import { isTerminal, type ProjectStatus, terminalStatuses } from '../../domain/project/statuses.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { withdrawRequests } from '../requests/requests.ts';
import { projects } from '../schema/projects.ts';
import { closePlanning } from '../transcript/close-runs.ts';
import { beginLineage } from './lineage.ts';
import { inProject, type ProjectRow, projectTransaction } from './project-transaction.ts';

export interface NewProject {
  id: string;
  name: string;
  goal: string;
  folder: string;
  branch: string;
  settings: ProjectSettings;
}

/**
 * Adds a project, or returns the one that an earlier attempt added.
 * @throws {DatabaseError} `FolderInUse` if the folder belongs to a project that has not ended.
 */
export async function createProject(database: Database, project: NewProject): Promise<ProjectRow> {
  return database.transaction(async (query) => {
    await lockFolder(query, project.folder);
    const existing = await findProject(query, project.id);
    if (existing) return existing;
    await refuseFolderInUse(query, project.folder);
    const lineageId = `${project.id}/l1`;
    const [row] = await query
      .insert(projects)
      .values({ ...project, status: 'INITIALIZING', lineageId })
      .returning();
    if (!row) throw new Error(`Postgres returned no row for the new project "${project.id}".`);
    await beginLineage(query, { id: lineageId, projectId: project.id });
    await projectTransaction(query, row).log({ type: 'project.changed', status: 'INITIALIZING' });
    return row;
  });
}

/** Taken by whoever makes a folder the home of an active project; held until the transaction ends. */
async function lockFolder(query: Queryable, folder: string): Promise<void> {
  await query.execute(sql`select pg_advisory_xact_lock(hashtext(${folder}))`);
}

async function findOwner(query: Queryable, folder: string): Promise<ProjectRow | undefined> {
  const hasNotEnded = notInArray(projects.status, [...terminalStatuses]);
  const [owner] = await query
    .select()
    .from(projects)
    .where(and(eq(projects.folder, folder), hasNotEnded));
  return owner;
}

/**
 * A project that has ended may be resumed only if its folder belongs to no other: both would move the same branch.
 * @throws {DatabaseError} `FolderInUse` if it does.
 */
export async function refuseToReopen(query: Queryable, { id, folder, status }: ProjectRow): Promise<void> {
  if (!isTerminal(status)) return;
  const owner = await findOwner(query, folder);
  if (!owner) return;
  throw new DatabaseError(
    'FolderInUse',
    `The project "${id}" is ${status}, and its folder ${folder} now belongs to the project "${owner.id}", which is ${owner.status}. End that project first: \`longhaul abandon ${owner.id}\`.`,
  );
}

/** @throws {DatabaseError} `FolderInUse` if the folder belongs to a project that has not ended. */
export async function refuseFolderInUse(query: Queryable, folder: string): Promise<void> {
  const owner = await findOwner(query, folder);
  if (!owner) return;
  throw new DatabaseError(
    'FolderInUse',
    `The folder ${folder} belongs to the project "${owner.id}", which is ${owner.status}. Choose another with --dir, or end that project first: \`longhaul abandon ${owner.id}\`.`,
  );
}

export async function findProject(query: Queryable, id: string): Promise<ProjectRow | undefined> {
  const [row] = await query.select().from(projects).where(eq(projects.id, id));
  return row;
}

/**
 * The project with exactly this id.
 * @throws {DatabaseError} `UnknownProject`
 */
export async function readProject(query: Queryable, id: string): Promise<ProjectRow> {
  const project = await findProject(query, id);
  if (!project) throw new DatabaseError('UnknownProject', `No project has the id "${id}".`);
  return project;
}

/** Newest first. */
export async function listProjects(query: Queryable): Promise<ProjectRow[]> {
  return query.select().from(projects).orderBy(desc(projects.createdAt));
}

/**
 * Finds a project by its id, else its name, else the start of its id, with or without `project-`.
 * @throws {DatabaseError} `UnknownProject` if none or several match.
 */
export async function resolveProject(query: Queryable, reference: string): Promise<ProjectRow> {
  if (!reference.trim()) {
    throw new DatabaseError(
      'UnknownProject',
      'Expected the id or name of a project, got an empty text. `longhaul list` shows them.',
    );
  }
  const all = await listProjects(query);
  const fitting = matchReference(all, reference, 'project-');
  if (fitting.length === 1 && fitting[0]) return fitting[0];
  if (fitting.length > 1) {
    const ids = fitting.map(({ id }) => id);
    throw new DatabaseError('UnknownProject', describeAmbiguous(reference, 'projects', ids));
  }
  const known = all.length
    ? `There are: ${all
        .map((project) => project.id)
        .slice(0, 10)
        .join(', ')}.`
    : 'There are none yet.';
  throw new DatabaseError('UnknownProject', `No project has the id or name "${reference}". ${known}`);
}

/** Ends a project that could not be opened, if it exists; a COMPLETED one stays COMPLETED. */
export async function endUnopenedProject(
  database: Database,
  projectId: string,
  status: 'ABANDONED' | 'FAILED',
  reason: string,
): Promise<void> {
  const project = await findProject(database, projectId);
  if (project && project.status !== 'COMPLETED') await setProjectStatus(database, projectId, status, reason);
}

/**
 * Sets a project's status; setting the same again has no effect and adds no event.
 * @throws {DatabaseError} `FolderInUse` if the project had ended, is to be resumed, and its folder belongs to another.
 */
export async function setProjectStatus(
  database: Database,
  projectId: string,
  status: ProjectStatus,
  reason?: string,
): Promise<void> {
  await inProject(database, projectId, async (transaction) => {
    const { project, query } = transaction;
    if (project.status === status && project.statusReason === (reason ?? null)) return;
    if (isTerminal(project.status) && !isTerminal(status)) {
      await lockFolder(query, project.folder);
      await refuseToReopen(query, project);
    }
    await query
      .update(projects)
      .set({ status, statusReason: reason ?? null, endedAt: isTerminal(status) ? new Date() : null })
      .where(eq(projects.id, projectId));
    if (isTerminal(status)) await withdrawRequests(query, { projectId });
    if (status === 'ABANDONED') await closePlanning(query, projectId, 'The project was abandoned.');
    await transaction.log({ type: 'project.changed', status, reason });
  });
}
