import type { z } from 'zod';
import type { ToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import type { Addition } from '../../db/add-to-owner.ts';
import type { AgentRun } from '../../workflows/agent-loop.ts';
import type { ActivitySignals } from '../heartbeat.ts';

/** What a tool call brings back to the model. */
export interface ToolResult {
  text: string;
  failed?: boolean;
  /** What a person sees of it; the text's start where absent. */
  display?: string;
  /** Rows that the call adds; stored with its result, so that both are there or neither is. */
  alsoStore?: Addition;
}

export interface ToolContext extends ActivitySignals {
  run: AgentRun;
  /** The tool call's own id, the same at each attempt. */
  id: string;
  /** Where its result goes in the transcript. */
  messageNumber?: number;
}

export type Tool<Arguments> = (input: Arguments, context: ToolContext) => Promise<ToolResult>;

export type ToolArguments<Name extends ToolName> = z.output<(typeof toolDeclarations)[Name]['parameters']>;

/** One implementation for each declared tool. */
export type Tools = { [Name in ToolName]: Tool<ToolArguments<Name>> };
