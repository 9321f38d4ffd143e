import type { AgentRunLimits } from './run-request.ts';

/** A tool of a user's own agent, as models and workers need to know it. */
export interface DeclaredTool {
  name: string;
  description: string;
  /** JSON Schema of its input. */
  parameters: Record<string, unknown>;
  on: 'agent' | 'client';
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
  limits: Partial<AgentRunLimits>;
  /** JSON Schema of its result, if that is not a text. */
  output?: Record<string, unknown> | undefined;
}

/** The tool by which an agent whose result has a form submits it. */
export const submitTool = 'submit_result';
