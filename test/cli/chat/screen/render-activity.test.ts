import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { type Activity, reduceActivity } from '../../../../cli/chat/screen/activity.ts';
import { renderActivity } from '../../../../cli/chat/screen/render-activity.ts';
import type { ChatStreamEvent } from '../../../../client/chat/chat-handle.ts';

const colors = picocolors.createColors(false);
const message = 'm1';
type Step = [
  second: number,
  event: {
    [Key in ChatStreamEvent['type']]: Omit<Extract<ChatStreamEvent, { type: Key }>, 'message'>;
  }[ChatStreamEvent['type']],
];

function shownAt(second: number, steps: Step[], columns = 60): string[] {
  let activity: Activity | undefined;
  for (const [at, event] of steps)
    activity = reduceActivity(activity, { ...event, message } as ChatStreamEvent, at * 1000);
  if (!activity) return [];
  return renderActivity(activity, { columns, colors, now: second * 1000 }).map((line) => line.replace(/^[⠀-⣿] /, ''));
}

const began: Step = [0, { type: 'answer.started', model: 'm', recalled: 0 }];
const call = { call: '1.0', tool: 'run_command', preview: 'npm test' };
const calling: Step = [1, { type: 'tool-began', ...call }];

test('what runs is shown with its argument, its time and the last line of its output', () => {
  expect(shownAt(3, [began])).toEqual(['waiting for the model (3 s)']);
  expect(shownAt(13, [began, calling])).toEqual(['run_command npm test (12 s)']);
  const output: Step = [5, { type: 'tool.output', call: '1.0', line: 'ok 12\u001b[2J' }];
  expect(shownAt(95, [began, calling, output])).toEqual(['run_command npm test (1 min 34 s)', '  ok 12␛[2J']);
  const other: Step = [1, { type: 'tool-began', call: '1.1', tool: 'read_file', preview: 'a.ts' }];
  const ended: Step = [7, { type: 'tool-ended', ...call, failed: false }];
  expect(shownAt(8, [began, calling, other])).toEqual(['run_command npm test (7 s) and 1 more']);
  expect(shownAt(8, [began, calling, other, ended])).toEqual(['read_file a.ts (1 s)']);
  expect(shownAt(9, [began, calling, ended])).toEqual(['waiting for the model (2 s)']);
  expect(shownAt(9, [began, [2, { type: 'delta', text: 'Hi' }]])).toEqual(['answering (7 s)']);
  expect(shownAt(9, [began, [2, { type: 'answer', text: 'Hi' }]])).toEqual([]);
});

test('the end of the thoughts is shown while the model thinks', () => {
  const thinking: Step = [2, { type: 'thinking', text: `${'word '.repeat(100)}last` }];
  const lines = shownAt(4, [began, thinking], 20);
  expect(lines).toHaveLength(4);
  expect(lines.slice(2)).toEqual(['word word word last', 'thinking (2 s)']);
});

test('an outage is one line that counts from its first failure', () => {
  const fails = (at: number): Step => [
    at,
    { type: 'answer-delayed', why: 'Could not reach openai: refused 127.0.0.1:9.' },
  ];
  const again = (at: number): Step => [at, { type: 'answer-restarted', why: undefined }];
  const outage = [began, fails(1), again(2), fails(3), again(5), fails(6)];
  expect(shownAt(8, outage, 80)).toEqual(['Could not reach openai: refused 127.0.0.1:9. Asking again (7 s)']);
  expect(shownAt(9, [...outage, [8, { type: 'delta', text: 'Hi' }]], 80)).toEqual(['answering (1 s)']);
});

test('a silent worker is told until it or another one reports', () => {
  const silent: Step = [5, { type: 'worker-silent' }];
  expect(shownAt(12, [began, silent], 80)).toEqual([
    'No worker responds. The answer continues as soon as one does. (7 s)',
  ]);
  expect(shownAt(12, [began, silent, [8, { type: 'worker-back' }]])).toEqual(['waiting for the model (12 s)']);
});

test('no line is wider than the screen', () => {
  const wide: Step = [1, { type: 'tool-began', call: '1.0', tool: 'run_command', preview: '日本'.repeat(60) }];
  for (const columns of [10, 40, 200]) {
    for (const steps of [
      [began, wide],
      [began, calling],
      [began, [2, { type: 'worker-silent' }] as Step],
    ])
      for (const line of shownAt(9, steps, columns)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  }
});
