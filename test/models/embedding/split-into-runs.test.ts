import { expect, test } from '@jest/globals';
import { meanOfTokens } from '../../../models/embedding/mean-of-tokens.ts';
import { splitIntoRuns } from '../../../models/embedding/split-into-runs.ts';

const ofLengths = (...lengths: number[]) => lengths.map((length) => ({ length }));

test('texts are padded only to others of similar length, and none is left out', () => {
  expect(splitIntoRuns(ofLengths(100, 3, 2, 90, 3), 200)).toEqual([
    [2, 1, 4],
    [3, 0],
  ]);
});

test('a text longer than a run is in a run of its own', () => {
  expect(splitIntoRuns(ofLengths(500, 500), 200)).toEqual([[0], [1]]);
});

test('padding does not change a vector', () => {
  const states = [3, 0, 0, 4, 9, 9, 1, 0, 9, 9, 9, 9]; // two texts of two and one tokens, padded to three, in two dimensions
  expect(meanOfTokens(states, [2, 1], 3)).toEqual([
    [0.6, 0.8],
    [1, 0],
  ]);
});
