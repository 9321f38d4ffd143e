import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';

/** A tool's function that ran, or began to. */
export interface ToolExecution {
  tool: string;
  input: unknown;
  callId: string;
  hasSideEffects: boolean;
}

/** The tools, each of which notes when it runs. */
export function watchTools(tools: readonly AgentTool[], executions: ToolExecution[]): AgentTool[] {
  return tools.map((tool) => {
    const { run, name, hasSideEffects } = tool;
    if (!run) return tool;
    return {
      ...tool,
      run(input, call) {
        executions.push({ tool: name, input, callId: call.callId, hasSideEffects });
        return run.call(tool, input, call);
      },
    };
  });
}
