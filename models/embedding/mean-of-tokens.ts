import { toUnitLength } from './to-unit-length.ts';

/**
 * The mean of each text's token vectors, without padding, at unit length. `states` has one vector for each token of each text, texts padded to
 * `paddedLength`.
 */
export function meanOfTokens(states: ArrayLike<number>, lengths: number[], paddedLength: number): number[][] {
  const dimensions = states.length / (lengths.length * paddedLength);
  return lengths.map((length, text) => {
    const sum = new Array<number>(dimensions).fill(0);
    for (let token = 0; token < length; token += 1) {
      const offset = (text * paddedLength + token) * dimensions;
      for (let index = 0; index < dimensions; index += 1)
        sum[index] = (sum[index] ?? 0) + (states[offset + index] ?? 0);
    }
    return toUnitLength(sum);
  });
}
