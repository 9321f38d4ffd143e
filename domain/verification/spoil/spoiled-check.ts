/** So few tests are all spoiled alone, and not together; each in several places. */
export const fewTests = 3;
/** What is spoiled alone at most. Each costs a container and the time of the step. */
export const maxAlone = 5;

/** A check file in which every test fails. */
export interface SpoiledCheck {
  content: string;
  /** If it has no tests: the file failing in other places, each alone. */
  further?: string[];
  /** The tests that any run of the file runs; none where some may be left out honestly. */
  tests: SpoiledTest[];
}

export interface SpoiledTest {
  name: string;
  /** The file with this test failing, and no other: in a place that is drawn, then, if there are few tests, in others. */
  contents: [string, ...string[]];
}
