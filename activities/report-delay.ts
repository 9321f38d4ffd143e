import { log } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../db/connection/database.ts';
import { addEvents } from '../db/events/add-to-owner.ts';
import type { FailureType } from '../domain/failure-types.ts';
import type { RunOwner } from '../domain/run/run-owner.ts';
import { preview } from '../domain/storable-text.ts';

/** True for the try, from 1, whose failure is reported to a person: a short outage is over before it. */
export function isReportedAt(tries: number): boolean {
  return tries === 3;
}

/** Adds an event that says what a project or a run waits for. Not for an outage of Postgres, which stores the events. */
export async function reportDelay(
  database: Database,
  owner: RunOwner<'project' | 'run'>,
  failure: ApplicationFailure,
): Promise<void> {
  if (failure.type === ('DatabaseUnavailable' satisfies FailureType)) return;
  try {
    await addEvents(database, owner, [{ type: 'work.delayed', reason: preview(failure.message, 480) }]);
  } catch (error) {
    log.warn(`Could not report the delay of a ${owner.kind}.`, { [owner.kind]: owner.id, error });
  }
}
