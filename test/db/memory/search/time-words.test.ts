import { expect, test } from '@jest/globals';
import { findTimes } from '../../../../db/memory/search/time-words.ts';

const now = new Date('2026-11-22T15:00:00Z'); // a Sunday

function found(question: string, at = now): string[] {
  return findTimes(question, at).map(
    ({ from, to }) => `${from.toISOString().slice(0, 10)} to ${to.toISOString().slice(0, 10)}`,
  );
}

test('time words of a question mean what a person means', () => {
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

test.each([
  ['this week', '2026-11-23 to 2026-11-30'],
  ['this morning', '2026-11-23 to 2026-11-24'],
  ['in the last 30 days', '2026-10-24 to 2026-11-24'],
  ['in the last two weeks', '2026-11-09 to 2026-11-24'],
  ['in the past 3 days', '2026-11-20 to 2026-11-24'],
  ['over the past week', '2026-11-16 to 2026-11-24'],
  ['in the previous 3 days', '2026-11-20 to 2026-11-24'],
  ['the last 6 months', '2026-05-23 to 2026-11-24'],
  ['within the past 2 years', '2024-11-23 to 2026-11-24'],
  ['last weekend', '2026-11-21 to 2026-11-23'],
  ['last quarter', '2026-07-01 to 2026-10-01'],
  ['since March', '2026-03-01 to 2026-11-24'],
  ['since last May', '2026-05-01 to 2026-11-24'],
  ['since Friday', '2026-11-20 to 2026-11-24'],
  ['since yesterday', '2026-11-22 to 2026-11-24'],
  ['since 2024', '2024-01-01 to 2026-11-24'],
  ['between March and May', '2026-03-01 to 2026-06-01'],
  ['between November and February', '2025-11-01 to 2026-03-01'],
  ['between Monday and Wednesday', '2026-11-16 to 2026-11-19'],
  ['between the 3rd of May and the 7th of May', '2026-05-03 to 2026-05-08'],
  ['from 3 May to 7 May', '2026-05-03 to 2026-05-08'],
  ['from June to last week', '2026-06-01 to 2026-11-23'],
  ['between 2023 and 2024', '2023-01-01 to 2025-01-01'],
])('"%s" is read as the right span', (words, span) => {
  expect(found(`What was decided ${words}?`, new Date('2026-11-23T10:00:00Z'))).toEqual([span]);
});

test('a single day, week or month is not everything since then', () => {
  expect(found('what she said three days ago')).toEqual(['2026-11-19 to 2026-11-20']);
  expect(found('what she said last Monday')).toEqual(['2026-11-16 to 2026-11-17']);
  expect(found('what she said in the previous week')).toEqual(['2026-11-09 to 2026-11-16']);
  expect(found('what she said last month')).toEqual(['2026-10-01 to 2026-11-01']);
});

test('a time of day is not a year', () => {
  expect(found('Who calls at 5pm?')).toEqual([]);
  expect(found('What does she eat in the morning?')).toEqual([]);
  expect(found('a number between 3 and 5')).toEqual([]);
});

test('on the last day of a month, shorter months are right', () => {
  const lastOfMarch = new Date('2026-03-31T10:00:00Z');
  expect(found('what has changed from February to today', lastOfMarch)).toEqual(['2026-02-01 to 2026-04-01']);
});

test('a question without a time has none', () => {
  expect(found('How are amounts kept?')).toEqual([]);
  expect(found('')).toEqual([]);
  expect(found('Who may delete files?')).toEqual([]);
});

test('a time is found in any spelling', () => {
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
