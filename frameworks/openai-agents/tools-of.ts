import type { FunctionTool } from '@openai/agents';
import type { AgentContext } from '../../agents/runtime/agent-context.ts';
import { toJsonSchema } from '../../agents/runtime/json-schema.ts';
import { keepFailure } from '../../agents/runtime/record/keep-failure.ts';

/** The agent's own tools, defined with `defineTool`, for `new Agent({ tools })`. A failure is told to the model. */
export function toolsOf(context: AgentContext<never, never> | AgentContext): FunctionTool[] {
  return context.tools.map((tool): FunctionTool => {
    const { name, description } = tool;
    return {
      ...{ type: 'function', name, description, strict: false },
      parameters: toJsonSchema(tool.parameters) as FunctionTool['parameters'],
      needsApproval: async () => false,
      isEnabled: async () => true,
      invoke: async (_runContext, input) => {
        try {
          return (await keepFailure(context, name, JSON.parse(input || '{}'))) as string;
        } catch (error) {
          if (context.signal.aborted) throw error;
          return `The tool failed: ${error instanceof Error ? error.message : String(error)}`;
        }
      },
    };
  });
}
