import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { alignColumns, truncate, wrapPairs } from '../../../cli/render/columns.ts';

const { green } = picocolors.createColors(true);

test('wide characters and colours keep columns aligned', () => {
  const [one = '', two = ''] = alignColumns([
    ['日本語', 'x'],
    [green('short'), 'y'],
  ]);
  expect(stringWidth(one.slice(0, one.indexOf('x')))).toBe(stringWidth(two.slice(0, two.indexOf('y'))));
});

test('no line is wider than the terminal, and no character is cut in half', () => {
  for (let width = 1; width < 40; width += 1) {
    for (const line of alignColumns([['👩‍👩‍👧 family', green('日本語の長い文')]], width)) {
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(line.isWellFormed()).toBe(true);
    }
  }
});

test('a cut line ends its colour', () => {
  const cut = truncate(green('a long green line'), 6);
  expect(cut).toContain('\x1b[39m');
});

test('a second column wraps between words and stays in its column', () => {
  const pairs: Array<[string, string]> = [
    ['/now <message>', 'say it at once: the answer that is being given is stopped'],
    ['/exit', 'leave'],
  ];
  expect(wrapPairs(pairs, 45)).toEqual([
    '/now <message>  say it at once: the answer',
    '                that is being given is',
    '                stopped',
    '/exit           leave',
  ]);
  expect(wrapPairs(pairs, 30)).toEqual(wrapPairs(pairs, 1_000));
});
