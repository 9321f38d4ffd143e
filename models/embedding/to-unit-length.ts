/** The vector scaled to unit length; an all-zero vector is returned as it is. */
export function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
