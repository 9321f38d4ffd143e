import type { z } from 'zod';
import type { ToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import type { Addition } from '../../db/events/add-to-owner.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import type { InstructionsBelow } from '../instructions/instructions-below.ts';

/** What a tool call returns to the model. */
export interface ToolResult {
  text: string;
  failed?: boolean;
  /** A person has to allow the call: it ends the run, and a request is in the inbox. */
  asks?: boolean;
  /** What a person is shown of it; by default the start of the text. */
  display?: string;
  /** Paths of pictures for the person, on this machine. */
  pictures?: string[];
  /** For a command that wrote more than `text` shows: bytes of its full output, which the sandbox stores under the call's id. */
  outputBytes?: number;
  /** Standing instructions of the folders that it is about; they follow the text. */
  instructions?: InstructionsBelow;
  /** Rows that the call adds; stored together with its result, so that both exist or neither. */
  alsoStore?: Addition;
}

export interface ToolContext extends ActivitySignals {
  run: AgentRun;
  /** The tool call's own id, the same at each attempt. */
  id: string;
  /** The number of its result in the transcript. */
  messageNumber?: number;
}

export type Tool<Arguments> = (input: Arguments, context: ToolContext) => Promise<ToolResult>;

export type ToolArguments<Name extends ToolName> = z.output<(typeof toolDeclarations)[Name]['parameters']>;

/** One implementation for each declared tool. */
export type Tools = { [Name in ToolName]: Tool<ToolArguments<Name>> };
