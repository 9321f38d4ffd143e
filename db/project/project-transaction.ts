import { eq } from 'drizzle-orm';
import type { ProjectEventData } from '../../domain/run/event.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { unknownProject } from '../database-error.ts';
import { addEvents, type LineagePlace, takeLineagePlace } from '../events/add-to-owner.ts';
import { projects } from '../schema/projects.ts';

export type ProjectRow = typeof projects.$inferSelect;

/** A transaction that adds rows to a project. */
export interface ProjectWriter {
  query: Queryable;
  projectId: string;
  /** Takes the place in the present lineage for one more row; locks the project. */
  nextInLineage(): Promise<LineagePlace>;
  /** Adds an event to the project's log; locks the project. */
  log(event: ProjectEventData): Promise<void>;
}

/** One transaction over a project's rows; such transactions are serialized, so that sequence and event numbers have no gaps. */
export interface ProjectTransaction extends ProjectWriter {
  /** The row as locked. */
  project: ProjectRow;
}

/**
 * Locks the project and does the work in one transaction.
 * @throws {DatabaseError} `UnknownProject` if no project has the id.
 */
export async function inProject<Result>(
  database: Database,
  projectId: string,
  work: (transaction: ProjectTransaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (query) => {
    const [project] = await query.select().from(projects).where(eq(projects.id, projectId)).for('update');
    if (!project) throw unknownProject(projectId);
    return work(projectTransaction(query, project));
  });
}

/** A project transaction on a row that the caller has locked. */
export function projectTransaction(query: Queryable, project: ProjectRow): ProjectTransaction {
  return { ...projectWriter(query, project.id), project };
}

function projectWriter(query: Queryable, projectId: string): ProjectWriter {
  return {
    query,
    projectId,
    nextInLineage: () => takeLineagePlace(query, projectId),
    log: (event) => addEvents(query, { kind: 'project', id: projectId }, [event]),
  };
}
