import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { renderTranscript } from '../../../cli/render/render-transcript.ts';
import type { SummaryRow } from '../../../db/transcript/summaries.ts';
import type { RunRow } from '../../../db/transcript/transcript.ts';

const run: RunRow = {
  id: 'project-p-s1-work',
  projectId: 'project-p',
  chatId: null,
  agentRunId: null,
  sessionId: 'project-p-s1',
  parentId: null,
  continuesId: null,
  continuesBefore: null,
  rootId: null,
  depth: 0,
  role: 'code',
  model: 'openai/gpt-5',
  status: 'RUNNING',
  result: null,
  turns: 2,
  madeTools: [],
  agent: null,
  shortenedUpTo: -1,
  shortenedAtTurn: 0,
  startedAt: new Date(0),
  endedAt: null,
};
const messages = [
  { number: 0, turn: 0, role: 'user' as const, content: { text: 'The task.' } },
  { number: 1, turn: 1, role: 'assistant' as const, content: { text: 'I look.' } },
  { number: 2, turn: 2, role: 'assistant' as const, content: { text: 'I write.' } },
];
const summary: SummaryRow = {
  runId: run.id,
  upToMessage: 1,
  turn: 2,
  written: 'It looked.',
  shown: '# So far\n\nIt looked.',
  failure: null,
  createdAt: new Date(0),
};
test("a conversation's run has no status: it is not at work while nobody asks", () => {
  const [head] = renderTranscript(
    { run: { ...run, role: 'chat' }, messages: [], summaries: [] },
    picocolors.createColors(false),
  ).split('\n');
  expect(head).toBe('project-p-s1-work  chat on openai/gpt-5');
});

const render = (summaries: SummaryRow[]) =>
  renderTranscript({ run, messages, summaries }, picocolors.createColors(false)).split('\n\n');

test('a transcript shows what was summarized and the summary', () => {
  expect(render([summary])).toEqual([
    'project-p-s1-work  code on openai/gpt-5, RUNNING',
    '#0 user, turn 0\nThe task.',
    '#1 assistant, turn 1\nI look.',
    'summary of the messages up to #1 except the task, used from turn 2 on\n# So far',
    'It looked.',
    '#2 assistant, turn 2\nI write.',
  ]);
});

test('a summary that failed is shown as failed', () => {
  const parts = render([{ ...summary, shown: null, failure: 'm would not: No.', written: 'No.' }]);
  expect(parts[3]).toBe('summary of the messages up to #1 failed before turn 2: m would not: No.\nNo.');
});

test("a note to the model is told apart from the person's words", () => {
  const colors = picocolors.createColors(true);
  const content = { text: 'On Friday.\n\n[It is Sunday.]', said: 'On Friday.' };
  const told = renderTranscript(
    { run, messages: [{ number: 1, turn: 1, role: 'user', content }], summaries: [] },
    colors,
  );
  expect(told).toContain(`\nOn Friday.${colors.dim('\n\n[It is Sunday.]')}`);
});
