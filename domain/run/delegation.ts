/** How far agents may delegate. */
export interface DelegationLimits {
  /** Levels below the topmost run. */
  maxDepth: number;
  /** Runs that one run may delegate to, finished ones included. */
  maxChildren: number;
}

/** Deep enough for a specialist that asks another; an agent that delegates deeper has lost its thread. */
export const defaultDelegationLimits: DelegationLimits = { maxDepth: 3, maxChildren: 16 };

/** The id of the run and the workflow of a delegated call. */
export function delegateRunId(callId: string): string {
  return `${callId}-work`;
}
