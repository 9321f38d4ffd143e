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

/** The vector scaled to unit length; an all-zero vector is returned as it is. */
export function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
