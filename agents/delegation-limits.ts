/** How far agents may delegate. */
export interface DelegationLimits {
  /** Levels below the topmost run. */
  maxDepth: number;
  /** Runs that one run delegates to, ended ones included. */
  maxChildren: number;
}

/** Deep enough for a specialist that asks another; an agent that delegates further has lost its thread. */
export const defaultDelegationLimits: DelegationLimits = { maxDepth: 3, maxChildren: 16 };
