import type { Dependencies } from '../dependencies.ts';
import { createGenerateTool } from '../made-tools/generate-tool.ts';
import { createEndingTools } from './ending-tools.ts';
import { createMemoryTools } from './memory-tools.ts';
import { createNoteTools } from './note-tools.ts';
import { createTaskTools } from './task-tools.ts';
import type { Tool, Tools } from './tool.ts';
import { createWorkspaceTools } from './workspace-tools.ts';

/** Every tool; the caller has checked the arguments against the tool's declaration. */
export function createTools(dependencies: Dependencies): Record<keyof Tools, Tool<unknown>> {
  const tools: Tools = {
    ...createWorkspaceTools(dependencies),
    ...createMemoryTools(dependencies),
    ...createNoteTools(dependencies),
    ...createTaskTools(dependencies),
    ...createGenerateTool(dependencies),
    ...createEndingTools(dependencies),
  };
  return tools as unknown as Record<keyof Tools, Tool<unknown>>;
}
