import { expect, test } from '@jest/globals';
import { findFault, readFindings } from '../../../activities/memory/read-findings.ts';

const finding = (text: string) => ({ kind: 'fact', text, replaces: null });
const keeping = (...keep: unknown[]) => JSON.stringify({ keep });

test('a model cannot store more findings than the limit', () => {
  const many = keeping(...Array.from({ length: 8 }, (_, index) => finding(`Fact ${index}.`)));
  expect(readFindings(many)).toEqual({ findings: Array.from({ length: 5 }, (_, index) => finding(`Fact ${index}.`)) });
  expect(readFindings(keeping())).toEqual({ findings: [] });
});

test.each([
  ['```json\n', '\n```\n'],
  ['\n ```  \r\n\n', '\n\n  ```'],
])('an answer in a code fence is accepted: %j', (before, after) => {
  const text = `${before}${keeping(finding('Ada has a cat.'))}${after}`;
  expect(findFault({ text, finish: 'done' })).toBeNull();
});

test('a fence without an end takes no time', () => {
  const since = performance.now();
  expect(readFindings(`\`\`\`json\n${'\n'.repeat(200_000)}x`)).toHaveProperty('complaint');
  expect(performance.now() - since).toBeLessThan(1_000);
});

test.each([
  ['words', 'Nothing to keep.', /^it is not JSON/],
  ['a strange kind', keeping({ ...finding('x'), kind: 'gossip' }), /^keep\.0\.kind: /],
  ['a finding without words', keeping(finding(' ')), /^keep\.0\.text: /],
  ['a list', '[]', /^the answer: /],
])('%s is refused', (_, text, complaint) => {
  expect(findFault({ text, finish: 'done' })).toMatch(complaint);
});

test('half an answer is refused', () => {
  expect(findFault({ text: keeping(), finish: 'length' })).toContain('cut off at the token limit');
});
