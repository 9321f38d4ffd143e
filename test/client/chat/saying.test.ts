import { expect, test } from '@jest/globals';
import { createSaying, type Saying } from '../../../client/chat/saying.ts';

const run = 'chat-a-r1';
const message = 'm1';

function begun(): Saying {
  const saying = createSaying();
  saying.stored({ type: 'answer.started', exchange: message, run, turn: 3, model: 'm', recalled: 0 });
  return saying;
}

const asked = (turn: number, why?: string) => ({
  type: 'answer.asked' as const,
  run,
  turn,
  attempt: 1,
  ...(why && { why }),
});
const piece = (turn: number, text: string) => ({
  type: 'answer.delta' as const,
  run,
  turn,
  delta: { type: 'text' as const, text },
});
const completed = (turn: number, tools: Array<{ tool: string; preview: string }> = []) => ({
  type: 'assistant.message' as const,
  ...{ run, turn, text: '', tools, inputTokens: 1, outputTokens: 1, durationMs: 1 },
});

test('a late reader gets the missed words once', () => {
  const saying = begun();
  expect(saying.said(asked(3))).toEqual([]);
  expect(saying.said(piece(3, 'Hel'))).toEqual([{ type: 'delta', message, text: 'Hel' }]);
  expect(saying.turnCompleted(completed(3), 'Hello.')).toEqual([{ type: 'delta', message, text: 'lo.' }]);
  expect(saying.said(piece(3, 'lo.'))).toEqual([]); // late
});

test('a repeated answer replaces the earlier text', () => {
  const saying = begun();
  saying.said(asked(3));
  saying.said(piece(3, 'Good mor'));
  expect(saying.said(asked(3, 'it broke off'))).toEqual([{ type: 'answer-restarted', message, why: 'it broke off' }]);
  saying.said(piece(3, 'Good eve'));
  expect(saying.turnCompleted(completed(3), 'Good night.')).toEqual([
    { type: 'answer-restarted', message, why: undefined },
    { type: 'delta', message, text: 'Good night.' },
  ]);
});

test('a continued answer is shown with all its pieces', () => {
  const saying = begun();
  saying.said(piece(3, 'Once upon'));
  expect(saying.turnCompleted(completed(3), 'Once upon')).toEqual([]);
  expect(saying.said(asked(4))).toEqual([]);
  expect(saying.said(piece(4, ' a'))).toEqual([{ type: 'delta', message, text: ' a' }]);
  expect(saying.said(asked(4, 'it broke off'))).toEqual([
    { type: 'answer-restarted', message, why: 'it broke off' },
    { type: 'delta', message, text: 'Once upon' },
  ]);
  expect(saying.turnCompleted(completed(4), ' a time.')).toEqual([{ type: 'delta', message, text: ' a time.' }]);
  expect(saying.stored({ type: 'answer.ended', exchange: message, status: 'ANSWERED' })).toEqual([
    { type: 'answer', message, text: 'Once upon a time.' },
  ]);
});

test('a call is shown with its argument and in its own turn', () => {
  const saying = begun();
  const tools = [{ tool: 'search_memory', preview: 'tea' }];
  expect(saying.turnCompleted(completed(3, tools), '')).toEqual([
    { type: 'tool-began', message, call: '3.0', tool: 'search_memory', preview: 'tea' },
  ]);
  const done = { run, turn: 3, position: 0, tool: 'search_memory', failed: false, preview: 'Nothing.' };
  expect(saying.stored({ type: 'tool.result', ...done })).toEqual([
    { type: 'tool-ended', message, call: '3.0', tool: 'search_memory', failed: false, preview: 'tea → Nothing.' },
  ]);
});

test('a failure is shown as one, with its own message', () => {
  const saying = createSaying();
  expect(saying.turnCompleted(completed(2), 'Of before.')).toEqual([]);
  expect(saying.said(piece(2, 'Of before.'))).toEqual([]);
  const end = { type: 'answer.ended' as const, exchange: message };
  expect(saying.stored({ ...end, status: 'ANSWERED' })).toEqual([]);
  const limited = begun();
  limited.turnCompleted(completed(3, [{ tool: 'search_memory', preview: '' }]), 'So far.');
  limited.turnCompleted(completed(4, [{ tool: 'search_memory', preview: '' }]), ' ');
  expect(limited.stored({ ...end, status: 'LIMITED', reason: 'no more' })).toEqual([
    { type: 'answer', message, text: 'So far.', limit: 'no more' },
  ]);
  expect(begun().stored({ ...end, status: 'STOPPED', reason: 'by you' })).toEqual([
    { type: 'failure', message, stopped: true, reason: 'by you' },
  ]);
  const answered = begun();
  answered.turnCompleted(completed(3), 'Tea.');
  expect(answered.stored({ ...end, status: 'ANSWERED' })).toEqual([{ type: 'answer', message, text: 'Tea.' }]);
});

test('an outage is told only if the model is asked again, and thoughts and output are passed on', () => {
  const saying = begun();
  const failed = { type: 'answer.ended' as const, run, turn: 3, outcome: 'failed' as const };
  saying.said(asked(3));
  expect(saying.said({ type: 'answer.delta', run, turn: 3, delta: { type: 'reasoning', text: 'Tea?' } })).toEqual([
    { type: 'thinking', message, text: 'Tea?' },
  ]);
  expect(saying.said(failed)).toEqual([]);
  expect(saying.said({ ...failed, failure: 'It is away.' })).toEqual([
    { type: 'answer-delayed', message, why: 'It is away.' },
  ]);
  expect(saying.said({ type: 'tool.output', call: `${run}.2.0`, line: 'ok 3' })).toEqual([
    { type: 'tool.output', message, call: '2.0', line: 'ok 3' },
  ]);
  expect(saying.said({ type: 'tool.output', call: 'chat-b-r1.2.0', line: 'ok 3' })).toEqual([]);
});

test("a delegate's words are not shown as the answer", () => {
  const saying = begun();
  const elsewhere = `${run}.3.0-work`;
  const tools = [{ tool: 'run_command', preview: 'ls' }];
  expect(saying.turnCompleted({ ...completed(9, tools), run: elsewhere }, 'Sorted.')).toEqual([]);
  const done = { run: elsewhere, turn: 9, position: 0, tool: 'run_command', failed: false, preview: 'exit 0' };
  expect(saying.stored({ type: 'tool.result', ...done })).toEqual([]);
  expect(saying.said({ ...piece(3, 'Sorted.'), run: elsewhere })).toEqual([]);
  saying.turnCompleted(completed(3), 'It is done.');
  expect(saying.stored({ type: 'answer.ended', exchange: message, status: 'ANSWERED' })).toEqual([
    { type: 'answer', message, text: 'It is done.' },
  ]);
});

test('what the network policy refused is told with the answer in which it happened', () => {
  const refusals = [{ host: 'a.example:443', why: 'network policy "none" does not allow a.example:443' }];
  const event = { type: 'network.refused' as const, sandbox: 'chat-a', refusals };
  expect(begun().stored(event)).toEqual([{ type: 'network.refused', message, refusals }]);
});
