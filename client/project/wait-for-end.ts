import { setTimeout as sleep } from 'node:timers/promises';
import { findProject } from '../../db/project/projects.ts';
import { isTerminal, type ProjectStatus } from '../../domain/project/statuses.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { ClientError } from '../errors.ts';
import { poll, type WatchOptions } from '../events/poll.ts';
import type { ProjectWorkflow } from './project-workflow.ts';

/** Milliseconds between checks of the workflow itself, which may be terminated without the project's row changing. */
const workflowCheckInterval = 5_000;

export interface WaitOptions extends WatchOptions {
  /** Also resolve when the project is PAUSED or WAITING for a person. */
  orRest?: boolean;
}

export interface ProjectResult {
  status: ProjectStatus;
  reason: string | null;
}

/**
 * Waits until a project has ended or, with `orRest`, is PAUSED or WAITING; undefined if the signal aborts first.
 * @throws {ClientError} `ProjectStopped` if its workflow was closed from outside.
 */
export async function waitForEnd(
  deps: { database: DatabaseAccess; workflow: ProjectWorkflow; projectId: string },
  options: WaitOptions = {},
): Promise<ProjectResult | undefined> {
  const { database, workflow, projectId } = deps;
  const read = async (): Promise<ProjectResult | undefined> => {
    const row = await database.use((query) => findProject(query, projectId));
    return row && { status: row.status, reason: row.statusReason };
  };
  let checkedAt = Date.now();
  return poll(async () => {
    for (;;) {
      const now = await read();
      if (options.orRest && (now?.status === 'PAUSED' || now?.status === 'WAITING')) return now;
      const ended = now && isTerminal(now.status);
      if (!ended && Date.now() - checkedAt < workflowCheckInterval) return undefined;
      checkedAt = Date.now();
      const description = await workflow.describe();
      if (description?.status.name === 'RUNNING') {
        // The row says that it has ended but the workflow runs: it is about to close, or was told to continue.
        if (!ended || options.signal?.aborted) return undefined;
        await sleep(200);
        continue;
      }
      if (ended) return now;
      const after = await read();
      if (after && isTerminal(after.status)) return after;
      const how = description ? description.status.name : 'gone';
      throw new ClientError(
        'ProjectStopped',
        `Expected the workflow of ${projectId} to run, since the project is ${after?.status ?? 'not started'}; it is ${how}. \`longhaul resume ${projectId}\` continues where it stopped.`,
      );
    }
  }, options);
}
