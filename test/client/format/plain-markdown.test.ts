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
