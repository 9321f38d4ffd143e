import { expect, test } from '@jest/globals';
import { percentile } from '../../../bench/measurement.ts';
import { scoreRecall } from '../../../bench/memory/memory-recall.ts';

test('recall counts only the results before the cut, each question once', () => {
  expect(scoreRecall(['x', 'a', 'y', 'b'], ['a', 'b', 'c', 'd'], [1, 2, 10])).toEqual({
    'R@1': 0,
    'R@2': 0.25,
    'R@10': 0.5,
    MRR: 0.5,
  });
  expect(scoreRecall([], ['a'], [1])).toEqual({ 'R@1': 0, MRR: 0 });
});

test('a percentile is one of the values', () => {
  expect(percentile([3, 1, 2], 50)).toBe(2);
  expect(percentile([1], 95)).toBe(1);
  expect(percentile([1, 2, 3, 4], 100)).toBe(4);
});
