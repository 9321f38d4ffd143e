/** What a model call was for. */
export const callPurposes = ['answer', 'generation', 'summary', 'extraction', 'consolidation', 'embedding'] as const;
export type CallPurpose = (typeof callPurposes)[number];

/**
 * Outcome of a call. `UNUSED`: answered after another attempt had; `CANCELLED`: stopped; `LOST`: its worker died or lost its connection before it
 * could report. Any other is the name of its failure (`ModelRateLimited`), or `FAILED` if it has none.
 */
export type CallOutcome = 'ANSWERED' | 'UNUSED' | 'CANCELLED' | 'LOST' | 'FAILED' | (string & {});
