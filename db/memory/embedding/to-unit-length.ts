/** A vector of the same direction; one of nothing but zeros stays. */
export function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
