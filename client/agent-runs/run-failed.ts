import type { AgentRunStatus } from '../../domain/agent-run/status.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';

const codes = { FAILED: 'RunFailed', CANCELLED: 'RunCancelled', TIMED_OUT: 'RunTimedOut' } as const;

export type RunFailedCode = (typeof codes)[keyof typeof codes];

/** Thrown where a run's result is waited for and there is none: `RunFailed`, `RunCancelled` or `RunTimedOut`. */
export class RunFailedError extends LonghaulError<RunFailedCode> {
  readonly runId: string;
  constructor(runId: string, status: Exclude<AgentRunStatus, 'QUEUED' | 'RUNNING' | 'SUCCEEDED'>, reason: string) {
    const how = { FAILED: 'failed', CANCELLED: 'was cancelled', TIMED_OUT: 'timed out' }[status];
    const why = /[.!?]$/.test(reason) ? reason : `${reason}.`;
    super(`The run ${runId} ${how}: ${why} \`longhaul runs events ${runId}\` shows what it did.`, {
      code: codes[status],
      kind: 'conflict',
    });
    this.runId = runId;
  }
}
