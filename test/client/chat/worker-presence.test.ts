import { expect, test } from '@jest/globals';
import { createPresence } from '../../../client/chat/worker-presence.ts';

const message = 'm1';

function watch() {
  let now = 0;
  const presence = createPresence(() => now);
  const after = (seconds: number) => {
    now += seconds * 1_000;
    return presence.changes().map(({ type }) => type);
  };
  return { presence, after };
}

const began = { type: 'answer.started' as const, message, model: 'm', recalled: 0 };

test('a dead worker is noticed within seconds, and told once', () => {
  const { presence, after } = watch();
  presence.see(began);
  expect(after(4)).toEqual([]);
  presence.heard();
  expect(after(4)).toEqual([]);
  expect(after(2)).toEqual(['worker-silent']);
  expect(after(10)).toEqual([]);
  presence.heard();
  expect(after(0)).toEqual(['worker-back']);
});

test('a worker that died before the answer began is noticed too', () => {
  const { presence, after } = watch();
  presence.see({ type: 'message.received', message, number: 1, text: 'Hello' });
  expect(after(7)).toEqual([]);
  expect(after(2)).toEqual(['worker-silent']);
  presence.see(began);
  expect(after(0)).toEqual(['worker-back']);
  presence.see({ type: 'message.received', message: 'm2', number: 2, text: 'And then?' }); // it waits for its turn
  expect(after(6)).toEqual(['worker-silent']);
});

test('nobody has to report while nothing is answered, nor in the pause before the model is asked again', () => {
  const { presence, after } = watch();
  expect(after(60)).toEqual([]);
  presence.see(began);
  presence.see({ type: 'answer-delayed', message, why: 'It is overloaded.' });
  expect(after(60)).toEqual([]);
  presence.see({ type: 'answer-restarted', message, why: undefined });
  expect(after(6)).toEqual(['worker-silent']);
  presence.see({ type: 'failure', message, stopped: true, reason: '' });
  expect(after(60)).toEqual([]);
});
