import { expect, test } from '@jest/globals';
import { drawsOf } from '../../../../domain/verification/spoil/draw.ts';
import { expectOther } from '../../../../domain/verification/spoil/other-value.ts';
import {
  applyEdits,
  maskTokens,
  tokensOfJavaScript,
  tokensOfPython,
} from '../../../../domain/verification/spoil/source-text.ts';

const wrapping: [string, string] = ['other(', ')'];
const other = (text: string, seed: number, tokens = tokensOfPython) =>
  applyEdits(text, [
    expectOther(text, maskTokens(text, tokens), { begin: 0, end: text.length }, drawsOf(seed), { wrapping }),
  ]);

test.each([
  ['5', /^[2-9]$/],
  ['-40', /^-4[1-9]$/],
  ['3.25', /^[24-9]\.25$/],
  ['18446744073709551615', /^[2-9]8446744073709551615$/],
  ['123n', /^12[^3]n$/],
  ['True', /^False$/],
  ['null', /^0$/],
  [`"abc"`, /^"([^a]bc|a[^b]c|ab[^c])"$/],
  [`b'\\x00\\n7'`, /^b'\\x00\\n[^7]'$/],
  [`""`, /^"a"$/],
  [`[1, 'a']`, /^\[([2-9], 'a'|1, '[b-z]')\]$/],
  [`{"a": 30, b: [20]}`, /^\{"a": (3[1-9], b: \[20\]|30, b: \[2[1-9]\])\}$/],
  ['[]', /^other\(\[\]\)$/],
  ["['Mon', 'Tue'][0]", /^other\(\['Mon', 'Tue'\]\[0\]\)$/],
  ["('Mon', 'Tue') [0]", /^other\(\('Mon', 'Tue'\) \[0\]\)$/],
  ["{1: 'Mon'}[1]", /^other\(/],
  ["'abc'[1:]", /^other\(/],
  ['{1, 2} - {3}', /^other\(/],
  ['[[1], [2]]', /^\[\[\d\], \[\d\]\]$/],
  ['expected[0]', /^other\(expected\[0\]\)$/],
  ['"%d" % 3', /^other\("%d" % 3\)$/],
])('%s becomes another value that looks like it', (text, expected) => {
  const seen = Array.from({ length: 20 }, (_, seed) => other(text, seed));
  for (const one of seen) expect(one).toMatch(expected);
  expect(seen).not.toContain(text);
});

test('a template of JavaScript with an expression is wrapped', () => {
  const template = ['`a', '{b}`'].join('$');
  expect(other(template, 1, tokensOfJavaScript)).toBe(`other(${template})`);
  expect(other(`[${template}, 1]`, 1, tokensOfJavaScript).replace(/\d/, '1')).toBe(`[${template}, 1]`);
});

test('a number becomes none that the file has, also where it has all of one digit, so that work that looks for a value finds the changed one', () => {
  const others = '10, 2, 23, 3, 34, 4, 6, 7, 8, 9';
  const content = `assert add(${others}) == 5`;
  const expected = { begin: content.length - 1, end: content.length };
  for (let seed = 0; seed < 40; seed += 1) {
    const { text } = expectOther(content, content, expected, drawsOf(seed), { wrapping });
    expect(others.split(', ')).not.toContain(text);
    expect(text).toMatch(/^\d\d$/);
  }
});

test('a message behind a value says the other one, and nothing else behind it changes', () => {
  const spoiled = (content: string, value: string) => {
    const begin = content.indexOf(value, content.indexOf('=='));
    const edit = expectOther(
      content,
      maskTokens(content, tokensOfPython),
      { begin, end: begin + value.length },
      drawsOf(3),
      {
        wrapping,
      },
    );
    return [applyEdits(content, [edit]), edit.text.slice(0, value.length)];
  };
  const [said, other = ''] = spoiled('assert f(2) == 4, "f(2) should be 4, not 42"\nassert f(4) == 4', '4');
  expect(said).toBe(`assert f(2) == ${other}, "f(2) should be ${other}, not 42"\nassert f(4) == 4`);
  const [given, another = ''] = spoiled('assert == 4, g("a 4")', '4');
  expect(given).toBe(`assert == ${another}, g("a 4")`);
});
