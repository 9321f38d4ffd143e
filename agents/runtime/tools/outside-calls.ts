import type { z } from 'zod';
import type { AgentMessage, Artifacts } from '../../../domain/agent-run/message.ts';
import type { AgentTool } from './define-tool.ts';

/** A call of a tool that is about to be made. */
export interface OutsideCall {
  /** The same at each attempt. */
  id: string;
  tool: AgentTool;
  input: unknown;
}

/** A run of another agent. */
export interface OutsideRun {
  /** Of the call that starts it, the same at each attempt. */
  id: string;
  agent: string;
  input: AgentMessage[];
  params?: unknown;
  metadata?: Record<string, unknown>;
  timeoutMs?: number | undefined;
  maxRetries?: number;
  output?: z.ZodType | undefined;
}

/** What a run of another agent brought. */
export interface CalledRun<Output = unknown> {
  runId: string;
  output: Output;
  artifacts: Artifacts;
}

/** What calls of a coded agent's tools need from outside its process. */
export interface OutsideCalls {
  /**
   * Waits until the call may be made, if a rule or the tool demands a person's yes.
   * @throws {AgentError} `CallRefused`
   */
  permit(call: OutsideCall): Promise<void>;
  /**
   * Has a call made where the tool is, however long that takes.
   * @throws {AgentError} `CallFailed`
   */
  make(call: OutsideCall): Promise<unknown>;
  /**
   * Has another agent run, as a child of this run.
   * @throws {AgentError} `UnknownAgent`, `CallFailed`, `InvalidValue`
   */
  run(run: OutsideRun): Promise<CalledRun>;
}
