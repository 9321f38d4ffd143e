/** A change that an agent asks for, of a file that its session must not change by itself. */
export interface RequestedChange {
  path: string;
  reason: string;
  /** Who decides. */
  decider: 'agent' | 'person';
}
