import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { nameFailure } from '../activities/name-failure.ts';

/** Gives what activities throw its failure type. */
export const failureNaming: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      throw nameFailure(error);
    }
  },
};
