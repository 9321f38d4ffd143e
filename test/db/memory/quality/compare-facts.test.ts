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
  ['Our team likes apples', 'Our team likes pears', 'other'],
  ['The project uses Postgres', 'The project uses Redis', 'other'],
  ['The project depends on Postgres', 'The project depends on Redis', 'other'],
  ['Ann Smith works with Bob', 'Ann Smith works with Eve', 'other'],
  ['The project uses 4 workers', 'The project uses 8 workers', 'contradicts'],
  ['The log level is set to debug', 'The log level is set to info', 'contradicts'],
  ['Our default language: Python', 'Our default language: Ruby', 'contradicts'],
  ['Our meeting is on Monday', 'Our meeting is on Friday', 'contradicts'],
  ['Ann lives in Paris', 'Ann lives in Paris with her sister Eve', 'other'],
  ['The project is written in C', 'The project is written in C++', 'contradicts'],
  ['The project is written in C++', '"The project" is written in (C++)!', 'same'],
  ['Alice prefers C#', 'Alice prefers C++', 'other'],
  ['The limit is 5', 'The limit is -5', 'contradicts'],
  ['The limit is 1.5 MB', 'The limit is 15 MB', 'contradicts'],
  ['Retry when latency > 5 s', 'Retry when latency < 5 s', 'other'],
  ['The cache is enabled in C++', 'The cache is not enabled in C', 'other'],
  ['', 'Ann lives in Paris', 'other'],
  ['🎉', '😀', 'other'],
  ['🎉', '🎉', 'same'],
] as const)('"%s" and "%s" are recognized as: %#', (older, newer, relation) => {
  expect(compareFacts(older, newer)).toBe(relation);
});
