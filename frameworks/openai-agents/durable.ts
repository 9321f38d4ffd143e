import type { FunctionTool, Tool } from '@openai/agents';
import type { AgentContext } from '../../agents/runtime/agent-context.ts';
import { recordToolCall } from '../../agents/runtime/tools/record-tool-call.ts';
import { expectToolNames } from '../expect-tool-names.ts';

export interface DurableOptions {
  /** Names of tools that must not be begun twice: a call that a crash cut off fails, and the model is told so. */
  once?: readonly string[];
}

/**
 * Tools whose calls are recorded: after a crash those that had ended are not made again. What a tool returns must be JSON. Tools that are no functions
 * stay as they are.
 * @throws {AgentError} `UnknownTool`
 */
export function durable<Tools extends readonly Tool[]>(
  context: AgentContext<never, never> | AgentContext,
  tools: Tools,
  { once = [] }: DurableOptions = {},
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  expectToolNames(
    once,
    tools.map(({ name }) => name),
  );
  const wrapped = tools.map((tool) => (tool.type === 'function' ? wrap(tool) : tool));
  return wrapped as unknown as { -readonly [Index in keyof Tools]: Tools[Index] };

  function wrap(tool: FunctionTool): FunctionTool {
    const { name } = tool;
    return {
      ...tool,
      invoke: async (runContext, input, details) => {
        const signal = details?.signal ? AbortSignal.any([context.signal, details.signal]) : context.signal;
        const call = { tool: name, input, once: once.includes(name), keepsFailure: false };
        try {
          const work = () => tool.invoke(runContext, input, { ...details, signal });
          return (await recordToolCall(context, call, work, signal)) as string;
        } catch (error) {
          if (!isCutOff(error)) throw error;
          return error.message;
        }
      },
    };
  }
}

/** Such a call is told to the model; other failures the tool itself has made words of, or means to end the run. */
function isCutOff(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'CallCutOff';
}
