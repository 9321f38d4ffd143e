import { reasoningEfforts, type ToolChoice } from '../../../domain/model/model-provider.ts';
import { AgentError } from '../agent-error.ts';
import type { AskOptions } from '../ask-model.ts';
import type { LanguageModelOptions } from './language-model.ts';

/** What is carried, or means nothing to a model that is asked once. */
const carried = new Set([
  ...['prompt', 'maxOutputTokens', 'temperature', 'reasoning', 'responseFormat', 'tools', 'toolChoice'],
  ...['abortSignal', 'includeRawChunks', 'headers'],
]);

/**
 * The settings of a call of the AI SDK as those of a model.
 * @throws {AgentError} `InvalidValue` naming each setting that cannot be carried.
 */
export function toAskOptions(options: LanguageModelOptions): Omit<AskOptions, 'model'> {
  const { maxOutputTokens, temperature, tools = [] } = options;
  refuseOthers(options);
  const toolChoice = toToolChoice(options.toolChoice);
  const answerSchema = toAnswerSchema(options.responseFormat);
  const reasoningEffort = toEffort(options.reasoning);
  return {
    tools: tools.map(({ type, name, description = '', inputSchema = {} }) => {
      if (type === 'function') return { name, description, parameters: withoutDialect(inputSchema) };
      throw cannotCarry(`the tool "${name}", which runs at its provider`, 'Give it a function `execute`.');
    }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort && { reasoningEffort }),
    ...(toolChoice && { toolChoice }),
    ...(answerSchema && { answerSchema }),
  };
}

function refuseOthers(options: LanguageModelOptions): void {
  const others = Object.entries(options).filter(([name, value]) => !carried.has(name) && !isEmpty(value));
  const headers = Object.keys(options.headers ?? {}).filter((name) => name.toLowerCase() !== 'user-agent');
  const names = [...others.map(([name]) => `\`${name}\``), ...headers.map((name) => `the header ${name}`)];
  if (names.length === 0) return;
  throw cannotCarry(
    names.join(', '),
    'Leave it out; settings of a provider belong in longhaul.config.ts, and the model may be named there.',
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function toToolChoice(choice: LanguageModelOptions['toolChoice']): ToolChoice | undefined {
  if (!choice || choice.type === 'auto') return undefined;
  return choice.type === 'tool' ? { tool: choice.toolName } : choice.type;
}

function toEffort(reasoning: string | undefined): AskOptions['reasoningEffort'] {
  if (reasoning === undefined || reasoning === 'provider-default') return undefined;
  const effort = reasoningEfforts.find((one) => one === reasoning);
  if (effort) return effort;
  throw cannotCarry(`the reasoning "${reasoning}"`, `Choose one of ${reasoningEfforts.join(', ')}.`);
}

function toAnswerSchema(format: LanguageModelOptions['responseFormat']): AskOptions['answerSchema'] {
  if (format?.type !== 'json') return undefined;
  const { schema, name = 'answer' } = format;
  if (!schema) throw cannotCarry('JSON of any form', 'Give the form of the answer, as `Output.object` does.');
  return { name: name.replace(/[^\w-]/g, '_').slice(0, 64), schema: withoutDialect(schema) };
}

function withoutDialect(schema: object): Record<string, unknown> {
  const { $schema: _, ...rest } = schema as Record<string, unknown>;
  return rest;
}

function cannotCarry(what: string, advice: string): AgentError {
  return new AgentError(
    'InvalidValue',
    `Expected settings that every model of Longhaul takes (maxOutputTokens, temperature, reasoning, toolChoice, output), got ${what}. ${advice}`,
  );
}
