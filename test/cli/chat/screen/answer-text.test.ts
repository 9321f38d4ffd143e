import { expect, test } from '@jest/globals';
import { createAnswerText } from '../../../../cli/chat/screen/answer-text.ts';

function answer() {
  const shown: string[] = [];
  const text = createAnswerText({
    write: (words) => void shown.push(words),
    discard: (why) => void shown.push(`discarded: ${why}`),
  });
  return { text, shown };
}

test('an answer that is given again goes on where it broke off', () => {
  const { text, shown } = answer();
  text.add('Once upon ');
  text.restart('its worker died');
  for (const piece of ['Once', ' upo', 'n a time']) text.add(piece);
  text.end();
  expect(shown).toEqual(['Once upon ', 'a time']);
});

test('an answer that differs from its first half replaces it', () => {
  const { text, shown } = answer();
  text.add('Once upon ');
  text.restart('its worker died');
  text.add('Once ');
  text.add('more.');
  text.end();
  expect(shown).toEqual(['Once upon ', 'discarded: its worker died', 'Once more.']);
});

test('a shorter answer replaces a longer half', () => {
  const { text, shown } = answer();
  text.add('Once upon');
  text.restart(undefined);
  text.add('Once');
  text.end();
  expect(shown).toEqual(['Once upon', 'discarded: undefined', 'Once']);
});

test('the half of an answer that is stopped meanwhile stays', () => {
  const { text, shown } = answer();
  text.add('Once upon');
  text.restart(undefined);
  text.add('Once');
  text.end({ brokenOff: true });
  text.add('Next.');
  expect(shown).toEqual(['Once upon', 'Next.']);
});
