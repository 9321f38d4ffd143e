export type ConsolidationStatus = 'running' | 'completed' | 'failed' | 'cancelled';

/** `merge`: one memory replaces another that says the same. `summary`: a new memory sums up related ones. */
export type MemoryChangeKind = 'merge' | 'summary';

/**
 * `proposed`: waits for a person. `applying`: decided, and perhaps half done. `undone`: taken back; `rejected`: never wanted. Neither of the last two
 * is proposed or made again.
 */
export type MemoryChangeStatus = 'proposed' | 'applying' | 'applied' | 'undone' | 'rejected';

/** How many changes of one kind have one status. */
export interface ChangeCount {
  kind: MemoryChangeKind;
  status: MemoryChangeStatus;
  count: number;
}

export interface ConsolidationInput {
  /** Only the memories of this project; all if absent. */
  projectId?: string | undefined;
  /** Only proposes the merges, without applying them. */
  dryRun?: boolean | undefined;
  /** Only what was created since the last consolidation that completed. */
  onlyNew?: boolean | undefined;
  /** Maximum number of summaries to propose; 0 for none. */
  summaries?: number | undefined;
  /** Set by the schedule that starts it: its interval, as configured. */
  every?: string | undefined;
  /** Where the previous run, whose history had grown long, stopped. */
  progress?: ConsolidationProgress | undefined;
}

export interface ConsolidationProgress {
  id: string;
  /** The last memory that was looked at; undefined before the first and after the last. */
  after: { createdAt: number; id: string } | undefined;
  looked: number;
  seeds: string[];
}

export interface ConsolidationOutcome {
  id: string;
  looked: number;
  changes: ChangeCount[];
  /** What was left out, and why. */
  remark?: string;
}

export interface ReindexInput {
  /** The embedding model to use; a worker that has another one refuses. */
  model: string;
  /** Memories embedded by earlier runs of this workflow, whose history had grown long. */
  embedded?: number | undefined;
}
