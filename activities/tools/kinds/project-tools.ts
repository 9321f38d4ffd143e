import { createHash } from 'node:crypto';
import { createProjectTools as createSharedTools } from '../../../agents/project-tools/create-project-tools.ts';
import { ProjectToolError } from '../../../agents/project-tools/project-tool-error.ts';
import type { ProjectControl } from '../../../agents/project-tools/project-tools.ts';
import { type ProjectToolName, projectToolNames } from '../../../agents/tools/project-tool-declarations.ts';
import { memoryOfDecision } from '../../../db/memory/memory-of-decision.ts';
import { LonghaulError } from '../../../domain/longhaul-error.ts';
import { slugOf } from '../../../domain/slug.ts';
import type { Dependencies } from '../../dependencies.ts';
import { originOfRun } from '../../memory/origin-of-run.ts';
import type { Tool, ToolContext, ToolResult, Tools } from '../tool.ts';

type Needed = Pick<Dependencies, 'database' | 'memory' | 'startProject' | 'projectMessages' | 'encrypts'>;

/** Tools with which a chat drives projects. */
export function createProjectTools(dependencies: Needed): Pick<Tools, ProjectToolName> {
  const tools = Object.fromEntries(projectToolNames.map((name) => [name, createTool(dependencies, name)]));
  return tools as unknown as Pick<Tools, ProjectToolName>;
}

function createTool(dependencies: Needed, name: ProjectToolName): Tool<never> {
  const { database } = dependencies;
  return async (input, context): Promise<ToolResult> => {
    const tools = createSharedTools({ use: (work) => work(database), control: controlFor(dependencies, context) });
    const call = { id: context.id, by: 'a chat', signal: AbortSignal.any([context.cancel, context.detach]) };
    try {
      return await tools[name](input, call);
    } catch (error) {
      // What is away is retried; a person or the model can do something about the rest.
      if (!(error instanceof LonghaulError) || error.kind === 'away' || error.kind === 'defect') throw error;
      return { failed: true, text: error.message };
    }
  };
}

function controlFor(
  { startProject, projectMessages, encrypts, ...stores }: Needed,
  { run }: ToolContext,
): ProjectControl {
  const { database, memory } = stores;
  return {
    ...projectMessages,
    async start({ goal, name }, { id: callId }) {
      const id = projectIdOf(callId, encrypts ? undefined : slugOf(name ?? goal));
      const refused = await startProject({ id, goal, name });
      if (refused !== undefined) throw new ProjectToolError('RequestRefused', refused);
      return id;
    },
    async remember(decision) {
      const origin = await originOfRun(database, run.parentRunId ?? run.runId);
      await memory.remember([memoryOfDecision(decision, origin)]);
    },
  };
}

/** The same id at each attempt of a call. */
function projectIdOf(callId: string, slug: string | undefined): string {
  const digits = createHash('sha256').update(callId).digest('hex').slice(0, 8);
  return ['project', ...(slug === undefined ? [] : [slug]), digits].join('-');
}
