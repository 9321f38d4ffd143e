import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { nameFailure } from '../activities/name-failure.ts';

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
