import { expect, test } from '@jest/globals';
import { listFiles, listOpenProblems } from '../../../activities/compaction/list-work.ts';
import type { Message } from '../../../domain/run/message.ts';

/** One call per turn, and its result. */
function conversation(calls: Array<[name: string, given: unknown, result?: string]>): Message[] {
  return calls.flatMap(([name, given, text = 'Done.'], index): Message[] => {
    const [turn, id] = [index + 1, `c${index}`];
    const toolCalls = [{ id, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }];
    return [
      { number: 2 * index, turn, role: 'assistant', content: { text: '', toolCalls } },
      { number: 2 * index + 1, turn, role: 'tool', content: { text, toolCallId: id } },
    ];
  });
}

const rows = (failed: boolean[]) => failed.map((one, index) => ({ turn: index + 1, position: 0, failed: one }));

test('a file whose change failed is not listed as changed, and one that changed twice is listed once', () => {
  const messages = conversation([
    ['write_file', { path: 'a.ts', content: '' }],
    ['edit_file', { path: 'b.ts' }],
    ['edit_file', { path: 'a.ts' }],
    ['write_file', { path: 'c.ts' }],
    ['read_file', { path: 'a.ts' }],
    ['read_file', { path: 'd.ts' }],
    ['write_file', '{"path": "bro'],
  ]);
  const failed = [false, true, false, false, false, false, true];
  expect(listFiles(messages, rows(failed))).toEqual({ changed: ['a.ts', 'c.ts'], read: ['d.ts'] });
});

test('an open problem is a command whose latest run failed', () => {
  const test1 = { command: 'npm test' };
  const problems = listOpenProblems(
    conversation([
      ['run_command', test1, '1 failed\n[exit code 1]'],
      ['run_command', { command: 'npm run lint' }, 'bad\nworse\n[exit code 2]'],
      ['run_command', test1, '[exit code 0]'],
      ['run_command', { command: 'npm run build' }, 'built\n[exit code 0]'],
      ['run_command', { command: 'sleep 99' }, '[stopped with all its processes after its timeout of 9 s]'],
    ]),
    rows([true, true, false, false, true]),
  );
  expect(problems).toEqual([
    { command: 'npm run lint', output: 'bad\nworse\n[exit code 2]' },
    { command: 'sleep 99', output: '[stopped with all its processes after its timeout of 9 s]' },
  ]);
});
