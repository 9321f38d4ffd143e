import type { OutsidePlace } from './declaration.ts';
import type { AgentRunRequest } from './run-request.ts';

/** What a call of a declared agent's tool waits for before it can be made, or can end; its workflow waits and then makes the call again. */
export type ToolWait =
  /** For a person; at `until`, in milliseconds since 1970, the default answer counts. */
  | { waits: 'answer'; request: string; until?: number }
  /** For a call that is made outside the agent's process. */
  | { waits: 'outside'; place: OutsidePlace; call: string }
  /** For another agent's run, which has to be started if it was not. */
  | { waits: 'run'; request: AgentRunRequest };
