import { log } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../db/connection/database.ts';
import { addEvents } from '../db/events/add-to-owner.ts';
import type { FailureType } from '../domain/failure-types.ts';
import { preview } from '../domain/storable-text.ts';

/** True of the try whose failure a person is told of, from 1: what is away for a moment is back before it. */
export function isToldAt(tries: number): boolean {
  return tries === 3;
}

/** Tells who follows a project what it waits for. What Postgres cannot store, `longhaul` says itself, as it needs Postgres too. */
export async function tellDelay(database: Database, projectId: string, failure: ApplicationFailure): Promise<void> {
  if (failure.type === ('DatabaseUnavailable' satisfies FailureType)) return;
  try {
    await addEvents(database, { projectId }, [{ type: 'work-delayed', reason: preview(failure.message, 480) }]);
  } catch (error) {
    log.warn('What a project waits for could not be told.', { project: projectId, error });
  }
}
