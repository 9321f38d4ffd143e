import { readEvents } from '../../db/events/read-events.ts';
import type { ProjectEvent } from '../../domain/run/event.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { poll, type WatchOptions } from './poll.ts';

/** Events read per query. */
const batchSize = 500;

export interface FollowOptions extends WatchOptions {
  /** The number of the last event already known; 0, the default, starts with the first. */
  after?: number | undefined;
}

export type OnEvent = (event: ProjectEvent) => void | Promise<void>;

/**
 * Passes each event of a project, past and future, to `onEvent` once and in order until the signal aborts. Survives restarts of the database; rejects
 * with whatever `onEvent` throws.
 */
export async function followEvents(
  access: DatabaseAccess,
  projectId: string,
  onEvent: OnEvent,
  options: FollowOptions = {},
): Promise<void> {
  let last = options.after ?? 0;
  await poll(async () => {
    for (;;) {
      const events = await access.use((database) => readEvents(database, projectId, { after: last, limit: batchSize }));
      for (const event of events) {
        if (options.signal?.aborted) return undefined;
        last = event.number;
        await onEvent(event);
      }
      if (events.length < batchSize) return undefined;
    }
  }, options);
}
