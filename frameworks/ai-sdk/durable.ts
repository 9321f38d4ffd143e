import type { ToolSet } from 'ai';
import type { AgentContext } from '../../agents/runtime/agent-context.ts';
import { recordToolCall } from '../../agents/runtime/tools/record-tool-call.ts';
import { expectToolNames } from '../expect-tool-names.ts';

export interface DurableOptions<Name> {
  /** Tools that must not be begun twice: a call that a crash cut off fails, and the model is told so. */
  once?: readonly Name[];
}

/**
 * Tools whose calls are recorded: after a crash those that had finished or failed are not made again. What a tool returns must be JSON; of the results
 * that a generator yields, the last one counts. Tools without `execute` stay as they are.
 * @throws {AgentError} `UnknownTool`
 */
export function durable<Tools extends ToolSet>(
  context: AgentContext<never, never> | AgentContext,
  tools: Tools,
  { once = [] }: DurableOptions<keyof Tools> = {},
): Tools {
  expectToolNames(once, Object.keys(tools));
  const wrapped = Object.entries(tools).map(([name, tool]): [string, ToolSet[string]] => {
    const { execute } = tool;
    if (!execute) return [name, tool];
    const recorded = (input: unknown, options: { abortSignal?: AbortSignal | undefined }) =>
      recordToolCall(
        context,
        { tool: name, input, once: once.includes(name), keepsFailure: true },
        ({ signal, idempotencyKey }) =>
          lastOf(execute(input as never, { ...options, abortSignal: signal, idempotencyKey } as never)),
        options.abortSignal ? AbortSignal.any([context.signal, options.abortSignal]) : context.signal,
      );
    return [name, { ...tool, execute: recorded } as ToolSet[string]];
  });
  return Object.fromEntries(wrapped) as Tools;
}

async function lastOf(output: unknown): Promise<unknown> {
  const isGenerator = typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
  if (!isGenerator) return output;
  let last: unknown;
  for await (const one of output as AsyncIterable<unknown>) last = one;
  return last;
}
