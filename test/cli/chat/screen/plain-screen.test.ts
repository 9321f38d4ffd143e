import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { createPlainScreen } from '../../../../cli/chat/screen/plain-screen.ts';
import type { ChatStreamEvent } from '../../../../client/chat/chat-handle.ts';

/** What is printed where the cursor cannot be moved. */
function printedOf(...events: Array<Record<string, unknown>>): string[] {
  let printed = '';
  const output = { write: (text: string) => (printed += text) };
  const screen = createPlainScreen(
    output,
    picocolors.createColors(false),
    () => true,
    (text) => text,
  );
  for (const event of events) screen.event({ message: 'm1', ...event } as ChatStreamEvent);
  return printed.split('\n');
}

const began = { type: 'answer.started', model: 'm', recalled: 0 };
const delta = (text: string) => ({ type: 'delta', text });
const restarted = { type: 'answer-restarted', why: undefined };
const answer = { type: 'answer', text: '' };

test('Markdown stays as it is written, without control characters', () => {
  expect(printedOf(began, delta('# One\n\n**tw'), delta('o**\u001b[2J'), answer)).toEqual([
    '# One',
    '',
    '**two**␛[2J',
    '',
  ]);
});

test('an answer that is given again goes on where it broke off', () => {
  const silent = { type: 'worker-silent' };
  expect(printedOf(began, delta('One '), restarted, delta('One '), delta('two.'), answer)).toEqual(['One two.', '']);
  expect(printedOf(began, delta('One.\n'), silent, restarted, delta('One.\nTwo.'), answer)).toEqual([
    'One.',
    '[No worker responds. The answer continues as soon as one does.]',
    'Two.',
    '',
  ]);
  expect(printedOf(began, delta('One '), restarted, delta('Two.'), answer)).toEqual([
    'One ',
    '[asked again]',
    'Two.',
    '',
  ]);
});

test('an outage is one line', () => {
  const fails = (request: number) => ({ type: 'answer-delayed', why: `openai answered: 503 (request ${request}).` });
  expect(printedOf(began, fails(1), restarted, fails(2), restarted, fails(3), restarted, delta('Hi.'), answer)).toEqual(
    ['[openai answered: 503 (request 1). Asking again.]', 'Hi.', ''],
  );
});
