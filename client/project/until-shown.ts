import { readEvents } from '../../db/events/read-events.ts';
import { findProject } from '../../db/projects.ts';
import type { ProjectStatus } from '../../db/statuses.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { watchProject } from '../events/watch-project.ts';

/** A worker that is there shows a signal within a second; a project without one will heed it later all the same. Milliseconds. */
const showTimeout = 10_000;

/** Waits up to 10 s until a project's status, present or passed through meanwhile, is one that was asked for. */
export async function untilShown(
  database: DatabaseAccess,
  projectId: string,
  isShown: (status: ProjectStatus) => boolean,
): Promise<void> {
  let last: number | undefined;
  await watchProject(
    () =>
      database.use(async (query) => {
        const row = await findProject(query, projectId);
        if (!row || isShown(row.status)) return true;
        const events = await readEvents(query, projectId, { after: last ?? row.eventCount });
        last = events.at(-1)?.number ?? last ?? row.eventCount;
        return events.some(({ data }) => data.type === 'project-changed' && isShown(data.status)) || undefined;
      }),
    { signal: AbortSignal.timeout(showTimeout) },
  );
}
