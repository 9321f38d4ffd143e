/** What is kept of a turn. */
export const keptKinds = ['fact', 'preference', 'task'] as const;
export type KeptKind = (typeof keptKinds)[number];

/** What a model found worth keeping. */
export interface Finding {
  kind: KeptKind;
  text: string;
  /** The id of the memory that it contradicts and takes the place of; null for none. */
  replaces: string | null;
}

/** What became of a finding. */
export interface Kept extends Finding {
  /** Of the memory or task that says it now. */
  id: string;
  outcome: 'added' | 'known' | 'refused';
  /** Memories that it took the place of. */
  superseded: string[];
  /** Why it was refused. */
  reason?: string;
}

/**
 * How far the look at a turn, for what is worth keeping of it, has come. `DUE`: the model is to be asked. `ASKED`: it answered at least
 * once, which is paid for. `DONE` and `FAILED`: it is over, with what was kept or why nothing was.
 */
export interface Distillation {
  status: 'DUE' | 'ASKED' | 'DONE' | 'FAILED';
  /** What the model said, and what was wrong with it. */
  answers: Array<{ text: string; complaint: string | null }>;
  kept: Kept[];
  reason: string | null;
}

export const dueDistillation: Distillation = { status: 'DUE', answers: [], kept: [], reason: null };
