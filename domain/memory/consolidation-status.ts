export type ConsolidationStatus = 'running' | 'completed' | 'failed' | 'cancelled';

/** `merge`: one memory replaces another that says the same. `summary`: a new memory sums up related ones. */
export type MemoryChangeKind = 'merge' | 'summary';

/**
 * `proposed`: waits for a person. `applying`: decided, and perhaps half done. `undone`: taken back; `rejected`: never wanted. Neither of the last two
 * is proposed or made again.
 */
export type MemoryChangeStatus = 'proposed' | 'applying' | 'applied' | 'undone' | 'rejected';

/** How many changes of a consolidation have this kind and status. */
export type ChangeCount = { kind: MemoryChangeKind; status: MemoryChangeStatus; count: number };
