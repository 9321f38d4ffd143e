import { createChangingTools } from './changing-tools.ts';
import { createControlTools } from './control-tools.ts';
import { createDecisionTools } from './decision-tools.ts';
import type { ProjectToolDependencies, ProjectTools } from './project-tools.ts';
import { createReadingTools } from './reading-tools.ts';

/** The project tools for whoever calls them: a chat, or an MCP client. What others wrote is fenced in their results. */
export function createProjectTools(dependencies: ProjectToolDependencies): ProjectTools {
  return {
    ...createReadingTools(dependencies),
    ...createChangingTools(dependencies),
    ...createDecisionTools(dependencies),
    ...createControlTools(dependencies),
  };
}
