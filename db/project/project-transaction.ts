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
<<<<<<< HEAD
  nextInLineage(): Promise<LineagePlace>;
  /** Adds an event; locks the project. */
  tell(event: ProjectEventData): Promise<void>;
=======
  nextInLineage(): Promise<{ lineageId: string; sequence: number }>;
  /** Adds an event to the project's log; locks the project. */
  log(event: ProjectEventData): Promise<void>;
>>>>>>> house
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
<<<<<<< HEAD
    nextInLineage: () => takeLineagePlace(query, projectId),
    tell: (event) => addEvents(query, { projectId }, [event]),
=======
    async nextInLineage() {
      const [row] = await query
        .update(projects)
        .set({ sequence: sql`${projects.sequence} + 1` })
        .where(eq(projects.id, projectId))
        .returning({ sequence: projects.sequence, lineageId: projects.lineageId });
      if (!row) throw unknownProject(projectId);
      return row;
    },
    async log(data) {
      if (!(await addEvent(query, { kind: 'project', id: projectId }, data))) throw unknownProject(projectId);
    },
>>>>>>> house
  };
}
