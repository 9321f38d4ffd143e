import { eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from './database.ts';
import { UnknownProjectError } from './errors.ts';
import type { ProjectEventData } from './events/event.ts';
import { events, projects } from './schema.ts';

export type ProjectRow = typeof projects.$inferSelect;

/** One transaction over a project's rows; such transactions follow one another, so sequence and event numbers have no gaps. */
export interface ProjectTransaction {
  query: Queryable;
  project: ProjectRow;
  /** The place in the present lineage for one more row. */
  nextInLineage(): Promise<{ lineageId: string; sequence: number }>;
  tell(event: ProjectEventData): Promise<void>;
}

/**
 * Locks the project and does the work in one transaction.
 * @throws {UnknownProjectError} where no project has the id.
 */
export async function inProject<Result>(
  database: Database,
  projectId: string,
  work: (transaction: ProjectTransaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (query) => {
    const [project] = await query.select().from(projects).where(eq(projects.id, projectId)).for('update');
    if (!project) throw new UnknownProjectError(`No project has the id "${projectId}". \`longhaul list\` shows all.`);
    return work(projectTransaction(query, project));
  });
}

/** The transaction on a project row that the caller holds. */
export function projectTransaction(query: Queryable, project: ProjectRow): ProjectTransaction {
  return {
    query,
    project,
    async nextInLineage() {
      const [row] = await query
        .update(projects)
        .set({ sequence: sql`${projects.sequence} + 1` })
        .where(eq(projects.id, project.id))
        .returning({ sequence: projects.sequence, lineageId: projects.lineageId });
      if (!row) throw new UnknownProjectError(`The project "${project.id}" vanished while it was locked.`);
      return row;
    },
    async tell(data) {
      await query.execute(sql`
        with numbered as (
          update ${projects} set event_count = event_count + 1 where id = ${project.id} returning event_count
        )
        insert into ${events} (project_id, number, data)
        select ${project.id}, event_count, ${JSON.stringify(data)}::jsonb from numbered`);
    },
  };
}
