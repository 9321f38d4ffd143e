import type { Sandbox } from '../sandbox.ts';

/** The parts of a sandbox that a file tool needs. */
export type FileSandbox = Pick<Sandbox, 'run' | 'readLog'>;

/** The fields that every call of a file tool has. */
export interface FileToolCall {
  /** The tool-call id, under which a retry finds the first attempt's work. */
  id: string;
  /** Aborting detaches from the tool; see `CommandRequest`. */
  detach?: AbortSignal;
}
