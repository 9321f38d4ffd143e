import { expect, test } from '@jest/globals';
import { drawsOf } from '../../../../domain/verification/spoil/draw.ts';
import { otherPattern, otherStringOf, otherText } from '../../../../domain/verification/spoil/other-text.ts';

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

test.each(['Hello, Eve!', 'row 12 of it\\n', 'ABCD'])('%j becomes a text with one other letter', (text) => {
  for (const seed of seeds) {
    const other = otherText(text, drawsOf(seed)) ?? '';
    const places = [...text].flatMap((character, index) => (character === other[index] ? [] : [index]));
    expect([other.length, places.length]).toEqual([text.length, 1]);
    expect(other[places[0] ?? 0]?.toLowerCase()).not.toBe(text[places[0] ?? 0]?.toLowerCase());
  }
});

test('what may be found elsewhere is no text of its own', () => {
  for (const text of ['', 'Eve', 'xyz w', '12:30:45', 'a\\nb\\t']) expect(otherText(text, drawsOf(1))).toBeUndefined();
});

test.each(['must be a number', '^Hello, \\w+$', 'total\\.', 'a/b/cc'])(
  'the pattern %j becomes one that does not match the same',
  (pattern) => {
    for (const seed of seeds) expect(otherPattern(pattern, drawsOf(seed))).toMatch(/[jkqvwxz]/i);
  },
);

test('a pattern that may do without a letter is no text of its own', () => {
  for (const pattern of ['numbers?', 'this|that', '[a-z]+ed', 'a(bcd)?', 'abcd{0}', '\\bword\\b'])
    expect(otherPattern(pattern, drawsOf(1))).toBeUndefined();
});

test('a string keeps its quotes', () => {
  expect(otherStringOf('r"abcd"', drawsOf(1))).toMatch(/^r"[a-z]{4}"$/);
  expect(otherStringOf("'abc'", drawsOf(1))).toBeUndefined();
  for (const text of ['abcd', '"abcd" + "e"', ['`abcd', '{e}`'].join('$'), '"\\x41bcd"'])
    expect(otherStringOf(text, drawsOf(1))).toBeUndefined();
});

test('a pattern of a number and nothing else asks for another number, of one more digit', () => {
  for (const seed of seeds) {
    expect(otherPattern('^42$', drawsOf(seed))).toMatch(/^\^[1-9]4[013-9]\$$/);
    expect(otherPattern('^-3$', drawsOf(seed))).toMatch(/^\^-[1-9][0-24-9]\$$/);
  }
  for (const pattern of ['42', '^42', '4+2$']) expect(otherPattern(pattern, drawsOf(1))).toBeUndefined();
});
