import type { z } from 'zod';
import { AgentError } from '../agent-error.ts';
import { toJsonSchema } from '../json-schema.ts';
import { type AgentTool, defineTool, type ToolCallContext } from './define-tool.ts';
import { runTool } from './run-tool.ts';

/** A tool as OpenAI's chat completions take it. */
export interface OpenAiTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** A tool as Anthropic's messages take it. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
}

/** Tools by name. */
export interface ToolRegistry {
  /** @throws {AgentError} `DuplicateName` */
  register(tool: AgentTool): void;
  /** @throws {AgentError} `UnknownTool` naming those that there are. */
  get(name: string): AgentTool;
  list(): AgentTool[];
  /**
   * Checks the input and runs a tool, with its retries and its timeout; nothing is recorded. In an agent, `context.callTool` records the call.
   * @throws {AgentError} `InvalidValue`, `TimedOut`, `UnknownTool`; and what the tool throws.
   */
  execute(name: string, input: unknown, call?: Partial<ToolCallContext>): Promise<unknown>;
  toOpenAI(): OpenAiTool[];
  toAnthropic(): AnthropicTool[];
}

/** @throws {AgentError} `DuplicateName` */
export function createToolRegistry(tools: readonly AgentTool[] = []): ToolRegistry {
  const byName = new Map<string, AgentTool>();
  const registry: ToolRegistry = {
    register(tool) {
      if (byName.has(tool.name)) {
        throw new AgentError('DuplicateName', `There is a tool "${tool.name}" already. Give one of them another name.`);
      }
      byName.set(tool.name, tool);
    },
    get(name) {
      const tool = byName.get(name);
      if (tool) return tool;
      const known = [...byName.keys()].join(', ') || 'none';
      throw new AgentError('UnknownTool', `Expected the name of a tool (${known}), got "${name}".`);
    },
    list: () => [...byName.values()],
    execute: (name, input, call = {}) => {
      const callId = call.callId ?? name;
      const signal = call.signal ?? new AbortController().signal;
      return runTool(registry.get(name), input, {
        ...{ runId: call.runId ?? '', callId, signal },
        idempotencyKey: call.idempotencyKey ?? callId,
      });
    },
    toOpenAI: () =>
      registry.list().map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters: toJsonSchema(parameters) },
      })),
    toAnthropic: () =>
      registry.list().map(({ name, description, parameters }) => ({
        ...{ name, description },
        input_schema: toJsonSchema(parameters),
      })),
  };
  for (const tool of tools) registry.register(tool);
  return registry;
}

/** A tool from a function whose input is checked by a schema; named after the function unless `name` is given. */
export function toolFromFunction<Parameters extends z.ZodType, Output>(
  run: (input: z.output<Parameters>, call: ToolCallContext) => Output | Promise<Output>,
  options: { description: string; parameters: Parameters; name?: string },
): AgentTool<Parameters, Output> {
  return defineTool({ ...options, name: options.name ?? run.name, run });
}
