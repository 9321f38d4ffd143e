import { expect, test } from '@jest/globals';
import { diversify } from '../../../../db/memory/search/diversify.ts';
import { fitTokens } from '../../../../db/memory/search/fit-tokens.ts';
import { foldDuplicates } from '../../../../db/memory/search/fold-duplicates.ts';
import { addNeighbours, fuse } from '../../../../db/memory/search/fuse.ts';
import { scoreBoost } from '../../../../db/memory/search/score-boost.ts';
import { scoreWords } from '../../../../db/memory/search/score-words.ts';

test('a rare word counts more than a common one', () => {
  const said = (text: string) => ({ stems: text.split(' ') });
  const scores = scoreWords(['ann', 'zebra'], [said('ann run'), said('zebra run'), said('ann eat'), said('ann sleep')]);
  expect(scores[1]).toBeGreaterThan(scores[0] ?? 0);
  expect(scoreWords(['ann'], [said('bob')])).toEqual([0]);
});

test('neither length nor repetition of a word decides', () => {
  const short = { stems: ['zebra', 'run'] };
  const long = { stems: ['zebra', ...Array.from({ length: 50 }, (_, index) => `word${index}`)] };
  const again = { stems: Array.from({ length: 10 }, () => 'zebra') };
  const [one = 0, longer = 0, repeated = 0] = scoreWords(['zebra'], [short, long, again, { stems: ['other'] }]);
  expect(one).toBeGreaterThan(longer);
  expect(repeated).toBeLessThan(one * 2);
});

test('words spread over a question and its answer find both', () => {
  const documents = [
    { stems: ['climb', 'weekend'], after: 1 },
    { stems: ['fontainebleau'], before: 0 },
    { stems: ['climb'] },
    { stems: ['other'] },
  ];
  const [question = 0, answer = 0, alone = 0] = scoreWords(['climb', 'fontainebleau'], documents);
  expect(question).toBeGreaterThan(alone);
  expect(answer).toBeGreaterThan(alone * 0.5);
});

test('if one search finds nothing the other counts fully, and each score is a number', () => {
  expect(fuse([0, 2, 4], [undefined, undefined, undefined])).toEqual([0, 0.5, 1]);
  expect(fuse([0, 0], [0.2, 0.6])).toEqual([0, 1]);
  expect(fuse([0], [0.3])).toEqual([1]);
  expect(fuse([], [])).toEqual([]);
  expect(fuse([0, 0], [undefined, undefined])).toEqual([0, 0]);
});

test('a hit of both searches ranks first', () => {
  const [both = 0, words = 0, meaning = 0] = fuse([3, 3, 0], [0.6, undefined, 0.6]);
  expect(both).toBeGreaterThan(words);
  expect(words).toBeGreaterThan(meaning === 0 ? 0 : 0.3);
  expect(both).toBeGreaterThan(meaning);
});

test('a neighbour never ranks above its hit', () => {
  const [hit = 0, neighbour = 0, far = 0] = addNeighbours([1, 0, 0], [{ after: 1 }, { before: 0 }, {}]);
  expect(hit).toBeGreaterThan(neighbour);
  expect(neighbour).toBeGreaterThan(far);
});

test('texts that differ by one number stay apart, and repeated ones are merged', () => {
  const texts = ['The limit is 5 MB.', 'the limit is 5 mb', 'The limit is 6 MB.', '🎉', '😀', '🎉'];
  expect(foldDuplicates([0, 1, 2, 3, 4, 5], texts, 10)).toEqual([0, 2, 3, 4]);
  expect(foldDuplicates([2, 1, 0], texts, 2)).toEqual([2, 1]);
  expect(foldDuplicates([0, 1, 2, 3], ['It is in C', 'It is in C++', 'it is in c++!', 'It is in C#'], 9)).toEqual([
    0, 1, 3,
  ]);
});

test('similar memories make place for different ones', () => {
  const stems = [
    ['cent', 'whole', 'amount'],
    ['cent', 'whole', 'amount', 'sum'],
    ['cent', 'whole', 'amount', 'price'],
    ['date', 'utc'],
  ];
  const scores = [1, 0.95, 0.9, 0.8];
  expect(diversify([0, 1, 2, 3], scores, stems, 2)).toEqual([0, 3]);
  expect(diversify([], [], [], 3)).toEqual([]);
});

test('a list stays within its tokens and does not end at a long text', () => {
  const owners = [
    { text: 'x'.repeat(40) },
    { text: 'x'.repeat(400) },
    { text: 'x'.repeat(36) },
    { text: 'x'.repeat(8) },
  ];
  expect(fitTokens(owners, 20)).toEqual([owners[0], owners[2]]);
  expect(fitTokens(owners, 0)).toEqual([]);
});

test('age and importance never outweigh the match, and can be switched off', () => {
  const now = new Date('2026-06-01');
  const weigh = (createdAt: string, importance: number, on = true) =>
    scoreBoost(
      { createdAt: new Date(createdAt), importance },
      { now, recency: on, importance: on, times: [{ from: new Date('2026-05-01'), to: new Date('2026-06-01') }] },
    );
  expect(weigh('2026-04-30', 0.9)).toBeGreaterThan(weigh('2026-01-01', 0.9));
  expect(weigh('2026-04-30', 0.9)).toBeGreaterThan(weigh('2026-04-30', 0.1));
  expect(weigh('2026-05-31', 1)).toBeLessThan(0.2);
  expect(weigh('2026-04-30', 1, false)).toBe(0);
  expect(weigh('2026-05-01', 1, false)).toBeGreaterThan(weigh('2026-06-01', 1, false));
});
