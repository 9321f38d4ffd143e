import { AgentTestError } from '../agent-test-error.ts';
import type { AgentTestRun } from '../run-agent-test.ts';
import { fits, show } from './fits.ts';

type End<Output> = Pick<AgentTestRun<Output>, 'status' | 'output' | 'reason'>;

/**
 * The output of a run that succeeded.
 * @throws {AgentTestError} `ExpectationFailed` saying how it ended.
 */
export function expectSuccess<Output>({ status, output, reason }: End<Output>): Output {
  if (status === 'SUCCEEDED') return output as Output;
  throw new AgentTestError('ExpectationFailed', `Expected the run to succeed, but it ended as ${status}: ${reason}`);
}

/**
 * The reason of a run that failed.
 * @throws {AgentTestError} `ExpectationFailed` saying how it ended.
 */
export function expectFailure({ status, output, reason = '' }: End<unknown>, pattern: string | RegExp = /.*/s): string {
  const how = status === 'SUCCEEDED' ? `succeeded with ${show(output)}` : `ended as ${status}: ${reason}`;
  const does = typeof pattern === 'string' ? reason.includes(pattern) : fits(reason, pattern);
  if (status === 'FAILED' && does) return reason;
  throw new AgentTestError('ExpectationFailed', `Expected the run to fail with ${show(pattern)}, but it ${how}`);
}
