import type { Dependencies } from '../dependencies.ts';
import { createGenerateTool } from '../made-tools/generate-tool.ts';
import { createCodeTools } from './code-tools.ts';
import { createDelegationTools } from './delegation-tools.ts';
import { createEndingTools } from './ending-tools.ts';
import { createFetchTool } from './fetch-tool.ts';
import { createMemoryTools } from './memory-tools.ts';
import { createNoteTools } from './note-tools.ts';
import { createOutputTool } from './output-tool.ts';
import { createProjectTools } from './project-tools.ts';
import { createTaskTools } from './task-tools.ts';
import type { Tool, Tools } from './tool.ts';
import { createWorkspaceTools } from './workspace-tools.ts';

/** Every tool; the caller has checked the arguments against the tool's declaration. */
export function createTools(dependencies: Dependencies): Record<keyof Tools, Tool<unknown>> {
  const tools: Tools = {
    ...createWorkspaceTools(dependencies),
    ...createMemoryTools(dependencies),
    ...createNoteTools(dependencies),
    ...createOutputTool(dependencies),
    ...createTaskTools(dependencies),
    ...createGenerateTool(dependencies),
    ...createEndingTools(dependencies),
    ...createCodeTools(dependencies),
    ...createDelegationTools(dependencies),
    ...createProjectTools(dependencies),
    ...createFetchTool(dependencies),
  };
  return tools as unknown as Record<keyof Tools, Tool<unknown>>;
}
