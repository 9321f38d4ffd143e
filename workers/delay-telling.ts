import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { isToldAt, tellDelay } from '../activities/tell-delay.ts';
import type { Database } from '../db/connection/database.ts';

/** Tells who follows a project what a step of it waits for; it is retried for up to hours, which only the Temporal UI shows otherwise. */
export function createDelayTelling(
  database: Database,
  { info }: Pick<Context, 'info'>,
): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        const { projectId } = (input.args[0] ?? {}) as { projectId?: unknown };
        const isRetried = error instanceof ApplicationFailure && !error.nonRetryable;
        if (isRetried && isToldAt(info.attempt) && typeof projectId === 'string')
          await tellDelay(database, projectId, error);
        throw error;
      }
    },
  };
}
