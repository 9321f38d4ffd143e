import type { AgentRunLimits } from './run-request.ts';

/** Where a tool's calls are made, if not in the agent's process: on a client that is attached to the run, or in the run's sandbox. */
export type OutsidePlace = 'client' | 'sandbox';

/** What keeps a record of a call: besides those places, `program`, for a call of an agent's program. */
export type RecordedPlace = OutsidePlace | 'program';

/** `agent`: in its process; `run`: by a run of another agent. */
export type ToolPlace = 'agent' | 'run' | OutsidePlace;

/** A tool of a user's own agent, as models and workers need to know it. */
export interface DeclaredTool {
  name: string;
  description: string;
  /** JSON Schema of its input. */
  parameters: Record<string, unknown>;
  on: ToolPlace;
  /** Of its function, if that runs in the sandbox. */
  source?: string;
  hasSideEffects: boolean;
  requiresConfirmation: boolean;
}

/** What is known of an agent outside the process that has its code. */
export interface AgentDeclaration {
  description: string;
  instructions: string;
  /** Comma-separated models, tried in order; those of the role `agent` if absent. */
  model?: string | undefined;
  tools: DeclaredTool[];
  /** It has one tool, a program in which these are functions. */
  codeMode?: true;
  limits: Partial<AgentRunLimits>;
  /** JSON Schema of its result, if that is not a text. */
  output?: Record<string, unknown> | undefined;
}

/** The tool by which an agent whose result has a form submits it. */
export const submitTool = 'submit_result';
