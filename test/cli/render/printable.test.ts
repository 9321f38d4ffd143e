import { expect, test } from '@jest/globals';
import { printable, printableJson, printableLine } from '../../../cli/render/printable.ts';

test("a model's text cannot clear the screen, set the title or hide text", () => {
  expect(printable('\x1b[2J\x1b]0;title\x07')).toBe('␛[2J␛]0;title␇');
  expect(printable('a\u202eb\u2066c\u009bd')).toBe('a\uFFFDb\uFFFDc\uFFFDd');
  expect(printable('a\u061cb\u200bc\u2060d\u{e0041}e')).toBe('a\uFFFDb\uFFFDc\uFFFDd\uFFFDe');
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

test('JSON holds the same text, and nothing that acts on a terminal', () => {
  const value = { text: 'a\u202eb\u009bc\u{e0041}d\u200b日本\n' };
  const json = printableJson(value);
  expect(json).toBe('{"text":"a\\u202eb\\u009bc\\udb40\\udc41d\\u200b日本\\n"}');
  expect(JSON.parse(json)).toEqual(value);
  expect(printableJson(value, 2).split('\n')).toHaveLength(3);
});
