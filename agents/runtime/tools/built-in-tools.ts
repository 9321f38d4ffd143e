import { toolDeclarations } from '../../tools/tool-declarations.ts';
import type { AgentTool } from './define-tool.ts';

/** Longhaul's own tools that a user's agent may have; they work in the sandbox of its run. */
export const builtInTools = [
  'run_command',
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search_files',
] as const;

export type BuiltInTool = (typeof builtInTools)[number];

export function isBuiltInTool(name: string): name is BuiltInTool {
  return builtInTools.some((one) => one === name);
}

/** A tool of Longhaul's own as a tool of a user's agent. */
export function builtInTool(name: BuiltInTool): AgentTool {
  const { description, parameters, readOnly } = toolDeclarations[name];
  return {
    ...{ name, description, parameters, on: 'sandbox' as const, hasSideEffects: !readOnly },
    ...{ requiresConfirmation: false, timeoutMs: undefined, retries: 0 },
  };
}
