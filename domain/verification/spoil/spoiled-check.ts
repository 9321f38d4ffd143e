/** A check file in which every test fails. */
export interface SpoiledCheck {
  content: string;
  /** The tests that any run of the file runs; none where some may be left out honestly. */
  tests: SpoiledTest[];
}

export interface SpoiledTest {
  name: string;
  /** The file with this test failing, and no other. */
  content: string;
}
