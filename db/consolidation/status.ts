export type ConsolidationStatus = 'running' | 'completed' | 'failed' | 'cancelled';

/** `merge`: one memory takes the place of another that says the same. `summary`: a new memory sums up related ones. */
export type MemoryChangeKind = 'merge' | 'summary';

/**
 * `proposed` waits for a person; `applying` is decided and maybe half done; `undone` was taken back, `rejected` never wanted: neither is
 * proposed or made again.
 */
export type MemoryChangeStatus = 'proposed' | 'applying' | 'applied' | 'undone' | 'rejected';
