import { expect, test } from '@jest/globals';
import { plainMarkdown } from '../../../client/format/plain-markdown.ts';

test('HTML is shown and not rendered', () => {
  expect(plainMarkdown('a < b, <img src=x onerror=alert(1)> and </td><!-- x -->')).toBe(
    'a < b, &lt;img src=x onerror=alert(1)> and &lt;/td>&lt;!-- x -->',
  );
});

test('a picture is a link, also behind a backslash', () => {
  expect(plainMarkdown('![seen](https://example.org/?who) \\![x][y]')).toBe(
    '&#33;[seen](https://example.org/?who) \\&#33;[x][y]',
  );
});

test('a secret is left out', () => {
  expect(plainMarkdown(`With ghp_${'a1B2'.repeat(9)}.`)).toBe('With [removed: a GitHub token].');
});

test('a link to anything but a page is none, also behind white space', () => {
  expect(plainMarkdown('[a](javascript:b) [c](<java&#115;cript:d>) [e](https://example.org/?f:g&h)')).toBe(
    '[a&#93;(javascript:b) [c&#93;(&lt;java&#115;cript:d>) [e](https://example.org/?f:g&h)',
  );
  expect(plainMarkdown(`[a](${' '.repeat(5_000)}javascript:b)`)).toContain('[a&#93;(');
});

test('many brackets take no time', () => {
  const since = performance.now();
  for (const text of ['](<', '](', ']:', '](\n', '](a']) plainMarkdown(text.repeat(100_000));
  expect(performance.now() - since).toBeLessThan(10_000); // a second; minutes where each is followed to the end
});
