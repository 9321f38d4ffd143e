import { ModelError } from '../../domain/model/model-error.ts';
import type { ModelMessage, ModelRequest } from '../../domain/model/model-provider.ts';
import { genAi } from '../../domain/telemetry/gen-ai.ts';
import type { SpanAttributes } from '../../domain/telemetry/span.ts';
import type { Telemetry } from '../../domain/telemetry/telemetry.ts';
import type { OpenSpan } from '../../domain/telemetry/tracer.ts';
import type { CheckedAnswer, Models } from '../../models/create-models.ts';
import { costOf } from '../../models/usage/prices.ts';

type Request = Omit<ModelRequest, 'model'>;

/** The models, each HTTP call of which is a span and is counted. */
export function observeModels(models: Models, { tracer, metrics }: Pick<Telemetry, 'tracer' | 'metrics'>): Models {
  return {
    ...models,
    async complete(names, request, listeners = {}) {
      let span: OpenSpan | undefined;
      const answer = await models.complete(names, request, {
        ...listeners,
        onAsk(model) {
          span = tracer.start({
            name: `chat ${modelOf(model)}`,
            kind: 'client',
            attributes: { ...describe(model, request), ...(tracer.contents && prompt(request.messages)) },
          });
          listeners.onAsk?.(model);
        },
        async onFailed(call) {
          const outcome = request.signal.aborted ? 'CANCELLED' : nameOf(call.error);
          span?.set(usage(call.usage));
          span?.end(Object.assign(new Error((call.error as Error | undefined)?.message), { type: outcome }));
          metrics.modelCall({ ...call, ...counted(call.usage), outcome });
          await listeners.onFailed?.(call);
        },
      });
      span?.set({
        [genAi.finishReasons]: [finishReason(answer)],
        ...usage(answer.usage),
        ...(tracer.contents && { [genAi.outputMessages]: JSON.stringify([said(answer)]) }),
      });
      span?.end();
      const costUsd = answer.usage && costOf(answer.model, answer.usage);
      metrics.modelCall({ ...answer, ...counted(answer.usage), costUsd, outcome: 'ANSWERED' });
      return answer;
    },
  };
}

/** `provider/model`, of which the model may have slashes too. */
function modelOf(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

function describe(model: string, { labels, maxOutputTokens, temperature }: Request): SpanAttributes {
  const { Chat, Project, Run, Role, Turn, Feature } = labels;
  return {
    [genAi.operation]: 'chat',
    [genAi.provider]: model.slice(0, model.indexOf('/')),
    [genAi.requestModel]: modelOf(model),
    ...(maxOutputTokens !== undefined && { [genAi.maxTokens]: maxOutputTokens }),
    ...(temperature !== undefined && { [genAi.temperature]: temperature }),
    ...((Chat ?? Run) && { [genAi.conversation]: Chat ?? Run ?? '' }),
    ...(Role && { [genAi.agent]: Role }),
    ...(Run && { 'longhaul.run.id': Run }),
    ...(Chat && { 'longhaul.chat.id': Chat }),
    ...(Project && { 'longhaul.project.id': Project }),
    ...(Feature && { 'longhaul.feature': Feature }),
    ...(Turn && { 'longhaul.turn': Number(Turn) }),
  };
}

interface Counts {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
}

function usage(counts: Counts | null): SpanAttributes {
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

function counted(counts: Counts | null) {
  const { inputTokens, outputTokens, cachedTokens } = counts ?? {};
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, cachedTokens: cachedTokens ?? 0 };
}

function nameOf(error: unknown): string {
  return error instanceof ModelError ? error.code : 'FAILED';
}

/** As the conventions name them. */
function finishReason({ finish, toolCalls }: Pick<CheckedAnswer, 'finish' | 'toolCalls'>): string {
  if (finish === 'length') return 'length';
  if (finish === 'refusal') return 'content_filter';
  return toolCalls.length > 0 ? 'tool_call' : 'stop';
}

function prompt(messages: ModelMessage[]): SpanAttributes {
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

function said({ text, toolCalls, finish }: CheckedAnswer) {
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
