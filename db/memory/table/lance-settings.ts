/**
 * LanceDB scans rows instead of using the text index if a filter admits less than this percentage of them; its default of 10 took 33 ms instead of 14
 * for a tenth of 1,000,000 memories.
 */
const lookedAtOneByOne = 3;

/** Sets what LanceDB reads only from the environment, when it first searches; a value that is already set stays. */
export function applyLanceSettings(environment: Record<string, string | undefined>): void {
  environment.LANCE_FLAT_SEARCH_PERCENT_THRESHOLD ??= String(lookedAtOneByOne);
}
