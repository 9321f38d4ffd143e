import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';

/**
 * A model call. A dead worker is noticed after 20 s, which leaves time for another to start and receive a pause sent meanwhile. Each model of a list
 * has its provider's own limit on silence, which ends the call as `ModelTimeout`. The day covers all of them together, and a model on a small machine
 * that generates for hours.
 */
export const modelCall = {
  startToCloseTimeout: 24 * 60 * 60_000, // a day
  heartbeatTimeout: '20 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;

/**
 * Model calls are retried after a worker's death, a rate limit or an outage. Sixty tries with pauses of up to a minute outlast an hour without the
 * provider; then a person is asked. A stored answer or summary is found, not requested again.
 */
export const model = proxyActivities<Pick<Activities, 'callModel' | 'compactRun' | 'proposeSummary'>>({
  ...modelCall,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 60 },
});

/** The same for an answer that a person waits for: five tries within half a minute, then the person reads why and may ask again. */
export const chatModel = proxyActivities<Pick<Activities, 'callModel' | 'compactRun'>>({
  ...modelCall,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds', maximumAttempts: 5 },
});

/**
 * Extracts memories from a turn; nobody waits for it. A stored answer is found, not requested again. After failing for some minutes, the extraction
 * waits for the next turn.
 */
export const extraction = proxyActivities<Pick<Activities, 'extractMemories'>>({
  ...modelCall,
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 8 },
});

/**
 * Tools re-attach to the command of an earlier attempt or find the stored result, so they are retried until a host or a database is back: for two
 * hours of attempts. While no worker runs, as in a stopped stack, no attempt is used up.
 */
export const tools = proxyActivities<Pick<Activities, 'runTool' | 'runSandboxCall'>>({
  startToCloseTimeout: '70 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
    maximumAttempts: 720,
  },
});

/** Sandboxes are found by name, and commands in them by id; retried for an hour while the container host is unreachable. */
export const containers = proxyActivities<
  Pick<Activities, 'openSandbox' | 'stopSandbox' | 'verifyFeature' | 'verifyEarlierFeatures'>
>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds', maximumAttempts: 200 },
});

/**
 * Git finds its own commits by their refs; short, since the repository is local. Retried for an hour while Postgres is unreachable or a person's git
 * is in the way.
 */
export const git = proxyActivities<
  Pick<
    Activities,
    | 'createProject'
    | 'applyProposal'
    | 'beginSession'
    | 'commitSession'
    | 'applyChecks'
    | 'permitLanding'
    | 'mergeOntoHead'
    | 'landCommit'
    | 'checkRevert'
    | 'revertToCheckpoint'
  >
>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
    maximumAttempts: 360,
  },
});

/** Compaction continues where an earlier attempt left off; if it still fails, the next scheduled time tries again. */
export const maintenance = proxyActivities<Pick<Activities, 'maintainMemory'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '10 seconds', maximumAttempts: 3 },
});

/** What an earlier attempt embedded is kept; retried for an hour while the model's server or the store is unreachable. */
export const reindexing = proxyActivities<Pick<Activities, 'reindexMemories'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 60 },
});

/** A batch finds what an earlier attempt recorded and completes it; retried for half an hour while Postgres or the store is unreachable. */
export const consolidation = proxyActivities<
  Pick<Activities, 'beginConsolidation' | 'mergeRepeats' | 'endConsolidation'>
>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

/** Rows are keyed by ids that the workflow chose; retried for a day while the database is unreachable. */
export const database = proxyActivities<
  Pick<
    Activities,
    | 'claimFeature'
    | 'answerRequest'
    | 'readDeadline'
    | 'findDecider'
    | 'allowChange'
    | 'startRun'
    | 'endRun'
    | 'endSession'
    | 'setProjectStatus'
    | 'endUnopenedProject'
    | 'setBudget'
    | 'keepMessage'
    | 'nudgeRun'
    | 'unblockFeatures'
    | 'keepChatMessage'
    | 'beginExchange'
    | 'endExchange'
    | 'startDelegate'
    | 'endDelegate'
    | 'beginAgentRun'
    | 'endAgentRun'
    | 'answerRunRequest'
    | 'failOutsideCall'
  >
>({
  startToCloseTimeout: '15 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '5 seconds',
    maximumAttempts: 17_280,
  },
});

/** A person waits for these; each finds or repeats what an earlier attempt began. After three tries the person reads why it failed. */
export const requests = proxyActivities<Pick<Activities, 'pruneSandboxes' | 'validateTool' | 'transferFiles'>>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
});

/** They change nothing, and a person waits, who can ask again. */
export const questions = proxyActivities<Pick<Activities, 'describeWorker' | 'checkModels'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
});
