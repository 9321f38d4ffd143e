import { beforeAll, expect, test } from '@jest/globals';
import type { AnswerSummary } from '../../../activities/model/answer-summary.ts';
import type { ToolSummary } from '../../../activities/tools/run-tool.ts';
import type { RunOutcome } from '../../../domain/project/messages.ts';
import type { subAgentWorkflow } from '../../../workflows/session/sub-agent-workflow.ts';
import { startWorkflows, taskQueue } from '../../support/work/start-workflows.ts';

interface Case {
  /** What the model answers in each turn. */
  answer: Partial<AnswerSummary>;
  idleTurns?: number;
  /** What its call brings; the same each time by default. */
  resultOf?(turn: number): Partial<ToolSummary>;
}

const reads = { calls: [{ position: 0, name: 'read_file', readOnly: true, summary: 'read_file' }] };

const cases = {
  silent: { answer: {} },
  'cut off': { answer: { cutOff: true } },
  refusing: { answer: { refused: 'I will not.' } },
  full: { answer: { contextFull: 'prompt is too long' } },
  'full, without a summary': { answer: { compact: { upToMessage: 3, why: 'It is too long.' } } },
  looping: { answer: reads },
  idle: {
    answer: reads,
    idleTurns: 2,
    resultOf: (turn) => ({ callHash: `file ${turn}`, changes: turn > 2, ...(turn === 5 && { ends: 'FINISHED' }) }),
  },
} satisfies Record<string, Case>;
type Name = keyof typeof cases;

const outcomes = new Map<string, RunOutcome>();
const endings = new Map<string, RunOutcome>();
/** For each run, the turns after which it was warned, and of what. */
const warnings = new Map<string, Array<[turn: number, reason: string]>>();

beforeAll(async () => {
  const workflows = await startWorkflows();
  const caseOf = (runId: string): Case => cases[runId as Name];
  const execute = (runId: string) =>
    workflows.client.workflow.execute<typeof subAgentWorkflow>('subAgentWorkflow', {
      workflowId: runId,
      taskQueue,
      args: [{ run: { owner: { kind: 'project', id: 'p' }, runId, role: 'code', sandbox: runId }, paused: false }],
    });
  await workflows.withActivities(
    {
      startRun: async ({ runId }) => ({ maxTurns: 12, stuck: { idleTurns: caseOf(runId).idleTurns ?? 10 } }),
      callModel: async ({ runId, turn }) => ({ messageNumber: 2 * turn, calls: [], ...caseOf(runId).answer }),
      compactRun: async () => ({ failure: 'refused: I will not do that.' }),
      runTool: async ({ runId, turn }) => ({
        ...{ failed: false, preview: 'Done.', callHash: 'call', resultHash: 'result' },
        ...caseOf(runId).resultOf?.(turn),
      }),
      nudgeRun: async ({ runId, turn, reason }) =>
        void warnings.set(runId, [...(warnings.get(runId) ?? []), [turn, reason]]),
      endRun: async ({ runId, status, reason }) => void endings.set(runId, { status, reason }),
    },
    () => Promise.all(Object.keys(cases).map(async (runId) => void outcomes.set(runId, await execute(runId)))),
  );
  await workflows.stop();
});

const next = 'The next attempt starts with the notes.';
const loop = 'The agent called read_file 3 times in a row with the same arguments and the same result.';

test.each<[Name, string]>([
  ['silent', 'The agent answered 3 times without calling a tool.'],
  [
    'cut off',
    "The agent answered 3 times without calling a tool. The last answer was cut off at the token limit: `maxOutputTokens`, or the model's own.",
  ],
  ['refusing', 'The model refused to answer: I will not.'],
  ['full', `The conversation no longer fits the model's window (prompt is too long). ${next}`],
  [
    'full, without a summary',
    `The conversation no longer fits the model's window, and its older turns could not be summarized (refused: I will not do that.). ${next}`,
  ],
  ['looping', loop],
])('the run of an agent that is %s ends with the reason', (name, reason) => {
  expect(outcomes.get(name)).toEqual({ status: 'ENDED', reason });
  expect(endings.get(name)).toEqual({ status: 'ENDED', reason }); // what is stored
});

test('an agent that repeats the same call three times is warned first', () => {
  expect(warnings.get('looping')).toEqual([[3, loop]]);
});

test('an agent that changes nothing is warned, and continues once it does', () => {
  expect(warnings.get('idle')).toEqual([
    [2, 'For 2 turns the agent changed no file or note, and no command showed anything new.'],
  ]);
  expect(outcomes.get('idle')).toEqual({ status: 'FINISHED', reason: 'Done.' });
});
