import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { nameFailure } from '../activities/name-failure.ts';
import { isReportedAt, reportDelay } from '../activities/report-delay.ts';
import type { Database } from '../db/connection/database.ts';
import type { RunOwner } from '../domain/run/run-owner.ts';
import { scrub, scrubAll } from '../domain/secrets/scrub.ts';

/** Reports in the events of a project or a run why a step is retried. Retries can last hours, and otherwise only the Temporal UI shows them. */
export function createDelayReporter(
  database: Database,
  { info }: Pick<Context, 'info'>,
): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        const owner = ownerOf(input.args[0]);
        const isRetried = error instanceof ApplicationFailure && !error.nonRetryable;
        if (isRetried && owner && isReportedAt(info.attempt)) await reportDelay(database, owner, error);
        throw error;
      }
    },
  };
}

/** Whose work an activity does. A chat tells its person itself. */
function ownerOf(input: unknown): RunOwner<'project' | 'run'> | undefined {
  const { owner, projectId } = (input ?? {}) as { owner?: RunOwner; projectId?: unknown };
  if (owner && owner.kind !== 'chat') return { kind: owner.kind, id: owner.id };
  return typeof projectId === 'string' ? { kind: 'project', id: projectId } : undefined;
}

/** Names the failure type of every error that an activity throws, and keeps secrets out of what goes into history. */
export const failureNaming: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return scrubAll(await next(input));
    } catch (error) {
      throw scrubError(nameFailure(error));
    }
  },
};

/** Scrubs the messages and stacks of an error and its causes, which all go into history. */
function scrubError(error: unknown): unknown {
  for (let one = error; one instanceof Error; one = one.cause) {
    one.message = scrub(one.message);
    if (one.stack !== undefined) one.stack = scrub(one.stack);
  }
  return error;
}
