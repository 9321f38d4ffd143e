import { expect, test } from '@jest/globals';
import { compareFacts } from '../../../../db/memory/quality/compare-facts.ts';

test.each([
  ['The upload limit is 5 MB', 'the upload limit is 5 MB.', 'same'],
  ['The upload limit is 5 MB', 'The upload limit is 50 MB', 'contradicts'],
  ['Ann lives in Paris', 'Ann lives in Rome', 'contradicts'],
  ['The cache is enabled by default', 'The cache is not enabled by default', 'contradicts'],
  ['The limit of uploads is 5 MB', 'The limit of downloads is 5 MB', 'other'],
  ['Feature login is done', 'Feature search is done', 'other'],
  ['Ann likes apples', 'Ann likes pears', 'other'],
  ['Ann lives in Paris', 'Ann lives in Paris with her sister Eve', 'other'],
  ['', 'Ann lives in Paris', 'other'],
  ['🎉', '😀', 'other'],
  ['🎉', '🎉', 'same'],
] as const)('"%s" and "%s" would not be taken for: %#', (older, newer, relation) => {
  expect(compareFacts(older, newer)).toBe(relation);
});
