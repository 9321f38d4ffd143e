/** A file with functions that checks use. */
export interface HelperFile {
  path: string;
  content: string;
  uses: CalledFunction[];
}

/** A function of a helper, as a check has it. */
export interface CalledFunction {
  /** The path of the check. */
  check: string;
  /** In the helper. */
  name: string;
  /** In the check. */
  local: string;
}

/** A check file of which some tests surely run. */
export interface CheckWithTests {
  path: string;
  content: string;
  tests: ReadonlyArray<{ name: string }>;
}
