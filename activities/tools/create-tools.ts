import type { Dependencies } from '../dependencies.ts';
import { createCodeTools } from './kinds/code-tools.ts';
import { createDelegationTools } from './kinds/delegation-tools.ts';
import { createEndingTools } from './kinds/ending-tools.ts';
import { createFetchTool } from './kinds/fetch-tool.ts';
import { createMemoryTools } from './kinds/memory-tools.ts';
import { createNoteTools } from './kinds/note-tools.ts';
import { createOutputTool } from './kinds/output-tool.ts';
import { createProjectTools } from './kinds/project-tools.ts';
import { createSearchTool } from './kinds/search-tool.ts';
import { createSkillTool } from './kinds/skill-tool.ts';
import { createTaskTools } from './kinds/task-tools.ts';
import { createWorkspaceTools } from './kinds/workspace-tools.ts';
import { createGenerateTool } from './made-tools/generate-tool.ts';
import type { Tool, Tools } from './tool.ts';

/** Every tool; the caller has checked the arguments against the tool's declaration. */
export function createTools(dependencies: Dependencies): Record<keyof Tools, Tool<unknown>> {
  const tools: Tools = {
    ...createWorkspaceTools(dependencies),
    ...createMemoryTools(dependencies),
    ...createNoteTools(dependencies),
    ...createOutputTool(dependencies),
    ...createSkillTool(dependencies),
    ...createTaskTools(dependencies),
    ...createGenerateTool(dependencies),
    ...createEndingTools(dependencies),
    ...createCodeTools(dependencies),
    ...createDelegationTools(dependencies),
    ...createProjectTools(dependencies),
    ...createFetchTool(dependencies),
    ...createSearchTool(dependencies),
  };
  return tools as unknown as Record<keyof Tools, Tool<unknown>>;
}
