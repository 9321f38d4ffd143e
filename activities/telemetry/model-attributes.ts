import type { ModelMessage, ModelRequest } from '../../domain/model/model-provider.ts';
import { genAi } from '../../domain/telemetry/gen-ai.ts';
import type { SpanAttributes } from '../../domain/telemetry/span.ts';
import type { CheckedAnswer } from '../../models/create-models.ts';

/** `provider/model`, of which the model may have slashes too. */
export function modelOf(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** What a call asks for, without its words. */
export function attributesOfRequest(
  model: string,
  { labels, maxOutputTokens, temperature }: Omit<ModelRequest, 'model'>,
): SpanAttributes {
  const { Agent, Chat, Project, Run, Role, Turn, Feature } = labels;
  const agent = Agent ?? Role;
  const conversation = Chat ?? Run;
  return {
    [genAi.operation]: 'chat',
    [genAi.provider]: model.slice(0, model.indexOf('/')),
    [genAi.requestModel]: modelOf(model),
    ...(maxOutputTokens !== undefined && { [genAi.maxTokens]: maxOutputTokens }),
    ...(temperature !== undefined && { [genAi.temperature]: temperature }),
    ...(conversation && { [genAi.conversation]: conversation }),
    ...(agent && { [genAi.agent]: agent }),
    ...(Run && { 'longhaul.run.id': Run }),
    ...(Chat && { 'longhaul.chat.id': Chat }),
    ...(Project && { 'longhaul.project.id': Project }),
    ...(Feature && { 'longhaul.feature': Feature }),
    ...(Turn && { 'longhaul.turn': Number(Turn) }),
  };
}

/** Tokens of a call; null where they are not known. */
export interface Counts {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
}

export function attributesOfUsage(counts: Counts | null): SpanAttributes {
  const named = {
    [genAi.inputTokens]: counts?.inputTokens,
    [genAi.outputTokens]: counts?.outputTokens,
    [genAi.cachedTokens]: counts?.cachedTokens,
    [genAi.cacheWriteTokens]: counts?.cacheWriteTokens,
  };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** As the conventions name it. */
export function finishReason({ finish, toolCalls }: Pick<CheckedAnswer, 'finish' | 'toolCalls'>): string {
  if (finish === 'length') return 'length';
  if (finish === 'refusal') return 'content_filter';
  return toolCalls.length > 0 ? 'tool_call' : 'stop';
}

/** The words of a request, in the form of the conventions. */
export function attributesOfPrompt(messages: ModelMessage[]): SpanAttributes {
  const instructions = messages.filter(({ role }) => role === 'system').map(({ content }) => textPart(content.text));
  const others = messages.filter(({ role }) => role !== 'system');
  return {
    ...(instructions.length > 0 && { [genAi.instructions]: JSON.stringify(instructions) }),
    [genAi.inputMessages]: JSON.stringify(others.map(toMessage)),
  };
}

function toMessage({ role, content: { text, toolCalls = [], toolCallId, images = [] } }: ModelMessage) {
  if (role === 'tool') return { role, parts: [{ type: 'tool_call_response', id: toolCallId, response: text }] };
  const pictures = images.map(() => textPart('[a picture]'));
  return { role, parts: [...(text ? [textPart(text)] : []), ...pictures, ...toolCalls.map(callPart)] };
}

/** The words of an answer, in the same form. */
export function toOutput({ text, toolCalls, finish }: CheckedAnswer) {
  return {
    role: 'assistant',
    parts: [...(text ? [textPart(text)] : []), ...toolCalls.map(callPart)],
    finish_reason: finishReason({ finish, toolCalls }),
  };
}

function textPart(content: string) {
  return { type: 'text', content };
}

function callPart({ id, name, arguments: given }: { id: string; name: string; arguments: string }) {
  return { type: 'tool_call', id, name, arguments: given };
}
