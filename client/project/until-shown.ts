import { readEvents } from '../../db/events/read-events.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import { findProject } from '../../db/project/projects.ts';
import type { ProjectStatus } from '../../domain/project/statuses.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { poll } from '../events/poll.ts';

/** Milliseconds. A running worker shows a signal's effect within a second; without one, the project will obey the signal later. */
const showTimeout = 10_000;

/** Waits up to 10 s until the project's status is a wanted one, now or at any moment after the event numbered `after`. */
export async function untilShown(
  database: DatabaseAccess,
  { id, eventCount: after }: Pick<ProjectRow, 'id' | 'eventCount'>,
  isShown: (status: ProjectStatus) => boolean,
): Promise<void> {
  let last = after;
  await poll(
    () =>
      database.use(async (query) => {
        const row = await findProject(query, id);
        if (!row || isShown(row.status)) return true;
        const events = await readEvents(query, id, { after: last });
        last = events.at(-1)?.number ?? last;
        return events.some(({ data }) => data.type === 'project.changed' && isShown(data.status)) || undefined;
      }),
    { signal: AbortSignal.timeout(showTimeout) },
  );
}
