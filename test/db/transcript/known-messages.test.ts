import { expect, test } from '@jest/globals';
import { createKnownMessages } from '../../../db/transcript/known-messages.ts';
import type { Message } from '../../../domain/run/message.ts';

const message = (number: number, role: Message['role']): Message => ({ number, turn: 1, role, content: { text: '' } });

test('what follows the last answer is read again, since results may still arrive in any order', () => {
  const known = createKnownMessages();
  known.keep('run', [message(0, 'user'), message(1, 'assistant'), message(3, 'tool')]);
  expect(known.of('run').map(({ number }) => number)).toEqual([0, 1]);
  known.keep('run', [message(0, 'user'), message(1, 'assistant'), message(2, 'tool'), message(3, 'tool')]);
  expect(known.of('run').map(({ number }) => number)).toEqual([0, 1]);
});

test('a worker keeps the conversations of its latest runs only', () => {
  const known = createKnownMessages();
  for (let run = 0; run < 40; run += 1) {
    known.keep(`run-${run}`, [message(0, 'assistant')]);
    known.keep('asked each time', [message(0, 'assistant')]);
  }
  expect(known.of('run-8')).toEqual([]);
  expect(known.of('run-9')).toHaveLength(1);
  expect(known.of('asked each time')).toHaveLength(1);
});
