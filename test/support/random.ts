/** The seed of this run: `LONGHAUL_TEST_SEED`, else one of the day, so that a failure can be seen again. */
export function testSeed(): number {
  return Number(process.env.LONGHAUL_TEST_SEED ?? Math.floor(Date.now() / 86_400_000));
}

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
