import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { scrub } from '../domain/secrets/scrub.ts';

/** All but the activities whose callers set a summary themselves, since they know more than the input. */
type Summarized = Exclude<keyof Activities, 'callModel' | 'runTool' | 'runSandboxCall' | 'verifyFeature'>;

/** What the Temporal UI shows beside each activity. */
const summaries: { [Name in Summarized]: (input: Parameters<Activities[Name]>[0]) => string } = {
  createProject: ({ name, folder }) => `${name ?? 'a project'}${folder ? ` in ${folder}` : ''}`,
  applyProposal: () => 'Features, verification and the first commit',
  claimFeature: ({ number, feature }) => `for session ${number}${feature ? `: ${feature}` : ''}`,
  setProjectStatus: ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  endUnopenedProject: ({ status, reason }) => `${status}: ${reason}`,
  setBudget: ({ scope, limits }) =>
    `${scope ?? 'project'}: ${Object.entries(limits)
      .map(([name, limit]) => `${limit ?? 'no limit of'} ${name}`)
      .join(', ')}`,
  compactRun: ({ turn, why }) => `before turn ${turn}: ${why}`,
  keepMessage: ({ message }) => message,
  nudgeRun: ({ reason }) => reason,
  unblockFeatures: () => 'New attempts for blocked features',
  beginSession: () => "Commits a person's changes and reads the head commit",
  openSandbox: ({ sandbox, commit }) => `${sandbox} at ${commit.slice(0, 8)}`,
  stopSandbox: ({ sandbox }) => `${sandbox}, for a pause`,
  closeSandbox: ({ sandbox }) => sandbox,
  closeRunSandbox: ({ runId }) => runId,
  startRun: ({ role, runId }) => `${role}: ${runId}`,
  endRun: ({ status, reason }) => `${status}: ${reason}`,
  commitSession: ({ sessionId }) => `the work of ${sessionId}`,
  permitLanding: ({ commit }) => `${commit.slice(0, 8)}, by the rules for files`,
  answerRequest: ({ id, answer, by }) => `${answer} to ${id}, by ${by}`,
  failOutsideCall: ({ call, reason }) => `${call}: ${reason}`,
  answerRunRequest: ({ id, answer }) => `${answer} to ${id}`,
  readDeadline: () => 'The next deadline in the inbox',
  findDecider: ({ sessionId }) => `for the change that ${sessionId} asks for`,
  allowChange: ({ sessionId }) => `that ${sessionId} asks for`,
  applyChecks: ({ sessionId }) => `as ${sessionId} wrote them`,
  mergeOntoHead: ({ commit }) => `${commit.slice(0, 8)}, if the head has moved`,
  landCommit: ({ commit }) => `${commit.slice(0, 8)} becomes a checkpoint`,
  verifyEarlierFeatures: ({ commit }) => `at ${commit.slice(0, 8)}`,
  endSession: ({ status, reason }) => `${status}: ${reason}`,
  keepChatMessage: ({ text }) => text,
  beginAgentRun: ({ runId, attempt }) => `${runId}, try ${attempt}`,
  endAgentRun: ({ outcome }) => ('reason' in outcome ? `${outcome.status}: ${outcome.reason}` : outcome.status),
  describeWorker: ({ ask }) => (ask ? 'Settings, and whether each model answers' : 'Settings'),
  checkModels: ({ names }) => names,
  beginExchange: () => 'The next message',
  endExchange: ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  startDelegate: ({ role, runId }) => `${role}: ${runId}`,
  endDelegate: ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  releaseChatSandbox: ({ discard }) => (discard ? 'with its files' : 'The chat is idle; its files are kept'),
  extractMemories: () => 'Memory extraction',
  checkRevert: ({ request }) => `to ${request.checkpoint}`,
  beginConsolidation: ({ projectId, dryRun }) =>
    `${projectId ? `of ${projectId}` : 'of all memories'}${dryRun ? ', dry run' : ''}`,
  mergeRepeats: ({ after }) => (after ? `after ${after.id}` : 'from the first memory'),
  proposeSummary: ({ seed }) => `of memories related to ${seed}`,
  endConsolidation: ({ status, looked }) => `${status}: looked at ${looked}`,
  reindexMemories: ({ model }) => `with ${model}`,
  maintainMemory: () => 'Compaction and indexes',
  pruneSandboxes: () => 'Unused sandboxes',
  validateTool: ({ id }) => id,
  transferFiles: ({ id }) => id,
  revertToCheckpoint: ({ request }) => `to ${request.checkpoint}`,
};

/** Characters. Temporal accepts up to 200 bytes, and a character takes up to four. */
const maxSummaryLength = 50;

/** Gives activities their summaries. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [],
  outbound: [
    {
      scheduleActivity(input, next) {
        const summarize = summaries[input.activityType as Summarized] as ((first: unknown) => string) | undefined;
        const whole = input.options.summary ?? summarize?.(input.args[0]);
        if (whole === undefined) return next(input);
        const summary = [...scrub(whole)].slice(0, maxSummaryLength).join('');
        return next({ ...input, options: { ...input.options, summary } });
      },
    },
  ],
});
