/** Kinds of findings of a turn. */
export const keptKinds = ['fact', 'preference', 'task'] as const;
export type KeptKind = (typeof keptKinds)[number];

/** Something that a model found worth keeping. */
export interface Finding {
  kind: KeptKind;
  text: string;
  /** Id of the memory that it contradicts and replaces; null if none. */
  replaces: string | null;
}

/** A finding and what became of it. */
export interface Kept extends Finding {
  /** The memory or task that it became. */
  id: string;
  outcome: 'added' | 'known' | 'refused';
  /** Ids of the memories that it replaced. */
  superseded: string[];
  /** Why it was refused. */
  reason?: string;
}

/**
 * How far the search of a turn for what is worth keeping has come. `DUE`: the model is yet to be asked. `ASKED`: it has answered at least once, which
 * is paid for. `DONE` and `FAILED`: finished, with what was kept or why nothing was.
 */
export interface MemoryExtraction {
  status: 'DUE' | 'ASKED' | 'DONE' | 'FAILED';
  /** The model's answers with their faults; null if there was none. */
  answers: Array<{ text: string; complaint: string | null }>;
  kept: Kept[];
  reason: string | null;
}

export const dueExtraction: MemoryExtraction = { status: 'DUE', answers: [], kept: [], reason: null };
