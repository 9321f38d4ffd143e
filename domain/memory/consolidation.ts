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

/** A pass over the memories for repetitions and for what could be summarized. */
export interface Consolidation {
  id: string;
  /** The project whose memories it covered; null for all. */
  projectId: string | null;
  /** Whether it only proposes changes. */
  dryRun: boolean;
  /** Only memories written since then were considered; null for all. */
  since: Date | null;
  workflowId: string;
  workflowRunId: string;
  status: ConsolidationStatus;
  /** Why it failed, or what it had to leave out. */
  remark: string | null;
  /** Number of memories that it looked at. */
  looked: number;
  createdAt: Date;
  endedAt: Date | null;
}

export interface CountedConsolidation extends Consolidation {
  changes: ChangeCount[];
}

/** A change that a consolidation makes, or proposes, to the memories. */
export interface ConsolidationChange {
  id: string;
  consolidationId: string;
  kind: MemoryChangeKind;
  status: MemoryChangeStatus;
  /** The memory that stays, or the summary. */
  memoryId: string;
  /** The memories that it replaces or sums up. */
  sources: string[];
  /** Tags of the sources that the remaining memory lacked. */
  tagsAdded: string[];
  /** The summary, and the model that wrote it. */
  text: string | null;
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  /** Whether the summary supersedes its sources. */
  replaces: boolean;
  createdAt: Date;
  /** When it reached its status. */
  changedAt: Date;
}
