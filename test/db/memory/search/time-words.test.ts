import { expect, test } from '@jest/globals';
import { findTimes } from '../../../../db/memory/search/time-words.ts';

const now = new Date('2026-11-22T15:00:00Z'); // a Sunday

function found(question: string): string[] {
  return findTimes(question, now).map(
    ({ from, to }) => `${from.toISOString().slice(0, 10)} to ${to.toISOString().slice(0, 10)}`,
  );
}

test('time words of a question would not mean what a person means', () => {
  expect(found('What did we decide last May?')).toEqual(['2026-05-01 to 2026-06-01']);
  expect(found('What was said in December?')).toEqual(['2025-12-01 to 2026-01-01']);
  expect(found('What happened last week?')).toEqual(['2026-11-09 to 2026-11-16']);
  expect(found('Who came on Monday?')).toEqual(['2026-11-16 to 2026-11-17']);
  expect(found('the plans of last year')).toEqual(['2025-01-01 to 2026-01-01']);
  expect(found('what happened yesterday')).toEqual(['2026-11-21 to 2026-11-22']);
  expect(found('the meeting on 8 May 2023')).toEqual(['2023-05-08 to 2023-05-09']);
  expect(found('Where was she in June 2023?')).toEqual(['2023-06-01 to 2023-07-01']);
  expect(found('Which books did he read in 2023?')).toEqual(['2023-01-01 to 2024-01-01']);
});

test('a question without a time would have one', () => {
  expect(found('How are amounts kept?')).toEqual([]);
  expect(found('')).toEqual([]);
  expect(found('Who may delete files?')).toEqual([]);
});

test('a time would be missed for how it is written', () => {
  for (const question of [
    'notes of Sept. 3',
    'notes of sep 3',
    'notes of JUNE 3',
    'notes of jun3',
    'on Thurs. at noon',
    '5min ago',
  ])
    expect(found(question)).toHaveLength(1);
});
