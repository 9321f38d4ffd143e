import { expect, test } from '@jest/globals';
import { printable, printableLine } from '../../../cli/render/printable.ts';

test("a model's text cannot clear the screen, set the title or hide text", () => {
  expect(printable('\x1b[2J\x1b]0;title\x07')).toBe('␛[2J␛]0;title␇');
  expect(printable('a\u202eb\u2066c\u009bd')).toBe('a\uFFFDb\uFFFDc\uFFFDd');
  expect(printable('rewritten\rline')).toBe('rewritten␍line');
});

test('line ends, tabs, accents and emoji stay', () => {
  const text = 'naïve\tcafé\n日本 👩‍👩‍👧\n';
  expect(printable(text)).toBe(text);
  expect(printable('a\r\nb')).toBe('a\nb');
});

test('a line stays one line', () => {
  expect(printableLine(' a\n\n\tb ')).toBe('a b');
});
