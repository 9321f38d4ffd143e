import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { HostActivities } from '../../activities/agent-host/create-host-activities.ts';

/**
 * The activities of the processes that host an agent. A process that dies is noticed after 10 s, and another one takes the work up: operations that
 * finished are found, not repeated. Failures of the agent are outcomes, so what is retried here is only the loss of a process, for as long as it takes.
 */
export function hostActivities(queue: string) {
  return proxyActivities<HostActivities>({
    taskQueue: queue,
    startToCloseTimeout: '30 days',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: {
      initialInterval: '500 milliseconds',
      backoffCoefficient: 2,
      maximumInterval: '30 seconds',
      maximumAttempts: 10_000,
    },
  });
}
