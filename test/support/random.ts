/** The seed of this run: `LONGHAUL_TEST_SEED`, or else one that stays the same all day, so that a failure can be repeated. */
export function testSeed(): number {
  return Number(process.env.LONGHAUL_TEST_SEED ?? Math.floor(Date.now() / 86_400_000));
}

/** Numbers from 0 up to 1 that depend on the seed only (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
