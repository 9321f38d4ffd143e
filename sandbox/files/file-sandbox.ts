import type { Sandbox } from '../sandbox.ts';

/** What a file tool needs of a sandbox. */
export type FileSandbox = Pick<Sandbox, 'run' | 'readLog'>;

/** What every use of a file tool has. */
export interface FileToolCall {
  /** The tool-call id: a retry finds the work of the first attempt under it. */
  id: string;
  /** Aborting lets go of the tool; see `CommandRequest`. */
  detach?: AbortSignal;
}
