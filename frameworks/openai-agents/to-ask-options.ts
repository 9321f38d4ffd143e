import type { ModelRequest } from '@openai/agents';
import { AgentError } from '../../agents/runtime/agent-error.ts';
import type { AskOptions } from '../../agents/runtime/ask-model.ts';
import { reasoningEfforts } from '../../domain/model/model-provider.ts';

/** What is carried; what the SDK does itself; and what it sets by itself for OpenAI's models. */
const known = new Set([
  ...['temperature', 'maxTokens', 'toolChoice', 'reasoning'],
  ...['timeoutMs', 'retry', 'preserveRawUsage'],
  ...['text'],
]);

/**
 * What a request asks for besides its messages.
 * @throws {AgentError} `InvalidValue` naming each setting that cannot be carried.
 */
export function toAskOptions(request: ModelRequest): Omit<AskOptions, 'model'> {
  refuseOthers(request);
  const { modelSettings, outputType, handoffs } = request;
  const { temperature, maxTokens, toolChoice, reasoning } = modelSettings;
  const reasoningEffort = toEffort(reasoning?.effort);
  const tools = request.tools.map((tool) => {
    if (tool.type !== 'function') throw cannotCarry(`the tool "${tool.name}", which is none of your functions`);
    return { name: tool.name, description: tool.description, parameters: withoutDialect(tool.parameters) };
  });
  const handing = handoffs.map(({ toolName: name, toolDescription: description, inputJsonSchema }) => ({
    ...{ name, description, parameters: { type: 'object', properties: {}, ...withoutDialect(inputJsonSchema) } },
  }));
  return {
    tools: [...tools, ...handing],
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(reasoningEffort && { reasoningEffort }),
    ...(toolChoice && { toolChoice: toToolChoice(toolChoice) }),
    ...(outputType !== 'text' && {
      answerSchema: { name: outputType.name, schema: withoutDialect(outputType.schema) },
    }),
  };
}

function refuseOthers({ modelSettings, prompt, previousResponseId, conversationId }: ModelRequest): void {
  const { store, parallelToolCalls, ...settings } = modelSettings;
  const given = {
    ...Object.fromEntries(Object.entries(settings).filter(([name]) => !known.has(name))),
    ...(store && { store }),
    ...(parallelToolCalls === false && { parallelToolCalls }),
    ...{ prompt, previousResponseId, conversationId },
  };
  const names = Object.entries(given).flatMap(([name, value]) => (isEmpty(value) ? [] : [`\`${name}\``]));
  if (names.length) throw cannotCarry(names.join(', '));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function toToolChoice(choice: string): AskOptions['toolChoice'] {
  return choice === 'auto' || choice === 'none' || choice === 'required' ? choice : { tool: choice };
}

/** The SDK sets `none` by itself; a model's own default is the nearest that every model has. */
function toEffort(effort: string | null | undefined): AskOptions['reasoningEffort'] {
  if (!effort || effort === 'none') return undefined;
  const known = reasoningEfforts.find((one) => one === effort);
  if (known) return known;
  throw cannotCarry(`the reasoning effort "${effort}"`);
}

function withoutDialect({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

function cannotCarry(what: string): AgentError {
  return new AgentError(
    'InvalidValue',
    `Expected what every model of Longhaul takes (functions, temperature, maxTokens, toolChoice, reasoning effort ${reasoningEfforts.join(', ')}, outputType), got ${what}. Leave it out; settings of a provider belong in longhaul.config.ts.`,
  );
}
