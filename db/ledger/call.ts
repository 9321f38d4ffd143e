/** What a call of a model was for. */
export const callPurposes = ['answer', 'summary', 'distillation', 'consolidation', 'embedding'] as const;
export type CallPurpose = (typeof callPurposes)[number];

/**
 * What came of a call. `UNUSED` is an answer that came after another attempt's; `CANCELLED` one that was stopped; `LOST` one whose worker
 * died, or lost its way, before it could say. Any other is the name of its failure (`ModelRateLimited`), `FAILED` where it has none.
 */
export type CallOutcome = 'ANSWERED' | 'UNUSED' | 'CANCELLED' | 'LOST' | 'FAILED' | (string & {});
