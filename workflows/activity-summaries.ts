import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';

type Summaries = { [Name in keyof Activities]?: (input: Parameters<Activities[Name]>[0]) => string };

/** What the Temporal UI shows beside each activity; callers that know more than the input set a summary themselves. */
const summaries: Summaries = {
  createProject: ({ name, folder }) => `${name ?? 'a project'}${folder ? ` in ${folder}` : ''}`,
  applyProposal: () => 'Features, verification and the first commit',
  claimFeature: ({ number, feature }) => `for session ${number}${feature ? `: ${feature}` : ''}`,
  setProjectStatus: ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  setBudget: ({ scope, limits }) =>
    `${scope ?? 'project'}: ${Object.entries(limits)
      .map(([name, limit]) => `${limit ?? 'no limit of'} ${name}`)
      .join(', ')}`,
  compactRun: ({ turn, why }) => `before turn ${turn}: ${why}`,
  keepMessage: ({ message }) => message,
  nudgeRun: ({ reason }) => reason,
  unblockFeatures: () => 'New attempts for blocked features',
  beginSession: () => "Commits a person's changes, takes the head commit",
  openSandbox: ({ sandbox, commit }) => `${sandbox} at ${commit.slice(0, 8)}`,
  stopSandbox: ({ sandbox }) => `${sandbox}, for a pause`,
  closeSandbox: ({ sandbox }) => sandbox,
  startRun: ({ role, runId }) => `${role}: ${runId}`,
  endRun: ({ status, reason }) => `${status}: ${reason}`,
  commitSession: ({ sessionId }) => `the work of ${sessionId}`,
  landSession: ({ commit }) => `${commit.slice(0, 8)} becomes a checkpoint`,
  verifyEarlierFeatures: ({ commit }) => `at ${commit.slice(0, 8)}`,
  endSession: ({ status, reason }) => `${status}: ${reason}`,
  keepChatMessage: ({ text }) => text,
  beginExchange: () => 'The next message',
  endExchange: ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  startDelegate: ({ role, runId }) => `${role}: ${runId}`,
  endDelegate: ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  releaseChatSandbox: ({ discard }) => (discard ? 'with its files' : 'The chat is idle; its files are kept'),
  distilTurn: () => 'What is worth keeping of a turn',
  checkRevert: ({ request }) => `to ${request.checkpoint}`,
  mergeRepeats: ({ after }) => (after ? `after ${after.id}` : 'from the first memory'),
  proposeSummary: ({ seed }) => `of what is related to ${seed}`,
  endConsolidation: ({ status, looked }) => `${status}: looked at ${looked}`,
  reindexMemories: ({ model }) => `with ${model}`,
  tendMemory: () => 'Compaction and indexes',
  revertToCheckpoint: ({ request }) => `to ${request.checkpoint}`,
};

/** Characters. Temporal accepts up to 200 bytes, and a character takes up to four. */
const longestSummary = 50;

/** Gives activities their summaries. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [],
  outbound: [
    {
      scheduleActivity(input, next) {
        const summarize = summaries[input.activityType as keyof Activities] as ((first: unknown) => string) | undefined;
        const whole = input.options.summary ?? summarize?.(input.args[0]);
        if (whole === undefined) return next(input);
        const summary = [...whole].slice(0, longestSummary).join('');
        return next({ ...input, options: { ...input.options, summary } });
      },
    },
  ],
});
