import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';

/**
 * A call of a model: a worker that died is noticed after 20 s, in which another has started and heard of a pause that was sent meanwhile.
 * Each model of a list has its provider's own limit, which is one of silence and named `ModelTimeout`; a day is for all of them, and for one
 * of a small machine that speaks for hours.
 */
export const modelCall = {
  startToCloseTimeout: 24 * 60 * 60_000, // a day
  heartbeatTimeout: '20 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;

/**
 * The model is called again after a worker died, a limit or an outage: sixty tries with pauses of up to a minute outlast an hour without
 * a provider, after which a person is asked. An answer or summary that was stored is found, not asked for again.
 */
export const model = proxyActivities<Pick<Activities, 'callModel' | 'compactRun' | 'proposeSummary'>>({
  ...modelCall,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 60 },
});

/** The same for an answer that a person waits for: five tries within half a minute, then the person is told and may ask again. */
export const chatModel = proxyActivities<Pick<Activities, 'callModel' | 'compactRun'>>({
  ...modelCall,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds', maximumAttempts: 5 },
});

/**
 * What is worth keeping of a turn: nobody waits for it. An answer that was stored is found, not asked for again; what fails for some
 * minutes is left for after the next turn.
 */
export const distillation = proxyActivities<Pick<Activities, 'distilTurn'>>({
  ...modelCall,
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 8 },
});

/**
 * Tools re-attach to the command of an earlier attempt or find the stored result, so they may be tried as long as a host
 * or a database takes to come back: two hours, in which a worker tries; while none does, as in a stack that is off, no time passes.
 */
export const tools = proxyActivities<Pick<Activities, 'runTool'>>({
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

/** Containers: found by name, commands in them by id; tried for an hour while the host is away. */
export const containers = proxyActivities<
  Pick<Activities, 'openSandbox' | 'stopSandbox' | 'verifyFeature' | 'verifyEarlierFeatures'>
>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds', maximumAttempts: 200 },
});

/** Git finds its own commits by their refs; short, since the repository is local. Tried for an hour while Postgres or a person's git is in the way. */
export const git = proxyActivities<
  Pick<
    Activities,
    | 'createProject'
    | 'applyProposal'
    | 'beginSession'
    | 'commitSession'
    | 'landSession'
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

/** Compaction begins anew where it was left; what fails is tried again at the next time of the schedule. */
export const upkeep = proxyActivities<Pick<Activities, 'tendMemory'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '10 seconds', maximumAttempts: 3 },
});

/** What another attempt embedded is there; tried for an hour while the model's server or the store is away. */
export const reindexing = proxyActivities<Pick<Activities, 'reindexMemories'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 60 },
});

/** A batch finds what an earlier attempt wrote down and ends it; tried for half an hour while Postgres or the store is away. */
export const consolidation = proxyActivities<
  Pick<Activities, 'beginConsolidation' | 'mergeRepeats' | 'endConsolidation'>
>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

/** Rows are keyed by ids that the workflow chose; tried for a day while the database is away. */
export const database = proxyActivities<
  Pick<
    Activities,
    | 'claimFeature'
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
