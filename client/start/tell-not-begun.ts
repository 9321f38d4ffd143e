import type { WorkflowExecutionDescription } from '@temporalio/client';
import { ClientError } from '../errors.ts';

/** Why a started project has not begun within so many seconds, though it still may: no worker took it up, or what it needs is not there. */
export function tellNotBegun(
  id: string,
  seconds: number,
  description: Pick<WorkflowExecutionDescription, 'raw'> | undefined,
): ClientError {
  const [step] = description?.raw.pendingActivities ?? [];
  const { message, applicationFailureInfo } = step?.lastFailure ?? {};
  const started = `The project ${id} was started, but`;
  if (message) {
    return new ClientError(
      'ProjectNotStarted',
      `${started} could not begin within ${seconds} s. ${message} It begins by itself if that is put right within an hour.`,
      { failureType: applicationFailureInfo?.type ?? undefined },
    );
  }
  return new ClientError(
    'NoWorker',
    `${started} no worker took it up within ${seconds} s. It begins as soon as one does: \`longhaul ps\` shows the stack, \`longhaul up -d\` starts it.`,
  );
}
