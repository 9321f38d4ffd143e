import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { nameFailure } from '../activities/name-failure.ts';
import { isReportedAt, reportDelay } from '../activities/report-delay.ts';
import type { Database } from '../db/connection/database.ts';

/** Reports in a project's events why a step is retried. Retries can last hours, and otherwise only the Temporal UI shows them. */
export function createDelayReporter(
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
        if (isRetried && isReportedAt(info.attempt) && typeof projectId === 'string')
          await reportDelay(database, projectId, error);
        throw error;
      }
    },
  };
}

/** Names the failure type of every error that an activity throws. */
export const failureNaming: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      throw nameFailure(error);
    }
  },
};
