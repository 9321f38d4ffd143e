/** Draws a whole number from 0 to below `count`. */
export type Draw = (count: number) => number;

/** The same draws for the same seed, a whole number; who does not know the seed cannot tell them from chance. */
export function drawsOf(seed: number): Draw {
  let state = seed >>> 0;
  return (count) => {
    // The generator "mulberry32", which is small and good enough to choose with.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

/** All of them, in an order that is drawn. */
export function inAnyOrder<One>(several: readonly One[], draw: Draw): One[] {
  const left = [...several];
  return several.flatMap(() => left.splice(draw(left.length), 1));
}

/** One of them; undefined if there is none. */
export function drawOne<One>(several: readonly One[], draw: Draw): One | undefined {
  return several[draw(Math.max(1, several.length))];
}
