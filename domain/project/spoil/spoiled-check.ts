/** A check file in which every test fails. */
export interface SpoiledCheck {
  content: string;
  /** The tests that any run of the file runs; none where some may be left out honestly. */
  tests: SpoiledTest[];
}

export interface SpoiledTest {
  name: string;
  /** What a runner shows where this test fails: one of these is among it, unless it shows no values. */
  marks: string[];
  /** The file with this test failing, and no other. */
  content: string;
}

/** Numbers of the tests of one file, so far apart that sums with what is expected are not mistaken for each other. */
export function numberOfTest(number: number, index: number): number {
  return number + index * 7919;
}
