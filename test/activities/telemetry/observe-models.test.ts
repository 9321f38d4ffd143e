import { expect, test } from '@jest/globals';
import { observeModels } from '../../../activities/telemetry/observe-models.ts';
import { ModelError } from '../../../domain/model/model-error.ts';
import type { ModelAnswer, ModelProvider, ModelRequest } from '../../../domain/model/model-provider.ts';
import type { MeasuredCall } from '../../../domain/telemetry/metrics.ts';
import { noMetrics } from '../../../domain/telemetry/metrics.ts';
import type { FinishedSpan } from '../../../domain/telemetry/span.ts';
import { createModels } from '../../../models/create-models.ts';
import { openTracer } from '../../../telemetry/open-tracer.ts';

const request: Omit<ModelRequest, 'model'> = {
  messages: [
    { role: 'system', content: { text: 'You answer.' } },
    { role: 'user', content: { text: 'What is it?' } },
    {
      role: 'assistant',
      content: { text: '', toolCalls: [{ id: 'call-1', name: 'read_file', arguments: '{"path":"a"}' }] },
    },
    { role: 'tool', content: { text: 'It is 42.', toolCallId: 'call-1' } },
  ],
  tools: [],
  temperature: 0.5,
  labels: { Chat: 'chat-a', Run: 'chat-a-r1', Role: 'chat', Turn: '2' },
  signal: new AbortController().signal,
};

const answered: ModelAnswer = {
  text: 'It is 42.',
  toolCalls: [],
  finish: 'done',
  usage: { inputTokens: 100, cachedTokens: 40, cacheWriteTokens: 0, outputTokens: 7, reasoningTokens: 0 },
  firstTokenMs: 3,
  requestId: null,
};

function provider(name: string, complete: ModelProvider['complete']): ModelProvider {
  return { name, complete };
}

const answering = provider('openai', async () => answered);
const busy = provider('busy', () => Promise.reject(new ModelError('Too many.', { code: 'ModelRateLimited' })));

/** What is observed of a request to these models. */
async function observe(names: string, { contents = false } = {}) {
  const spans: FinishedSpan[] = [];
  const calls: MeasuredCall[] = [];
  const sinks = [{ onSpan: (span: FinishedSpan) => void spans.push(span) }];
  const tracer = await openTracer({ headers: {}, serviceName: 'test', contents, sinks }, { warn() {} });
  const metrics = { ...noMetrics, modelCall: (call: MeasuredCall) => void calls.push(call) };
  const models = observeModels(createModels({ providers: {}, own: [answering, busy] }), { tracer, metrics });
  const outcome = await models.complete(names, request).catch((error: unknown) => error);
  await tracer.close();
  return { spans, calls, outcome };
}

test('each call of a model is a span with the names of the conventions, without contents', async () => {
  const { spans, calls } = await observe('openai/gpt-5');
  expect(spans).toMatchObject([{ name: 'chat gpt-5', kind: 'client' }]);
  expect(spans[0]?.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5',
    'gen_ai.request.temperature': 0.5,
    'gen_ai.conversation.id': 'chat-a',
    'gen_ai.agent.name': 'chat',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 7,
    'gen_ai.usage.cache_read.input_tokens': 40,
    'gen_ai.usage.cache_creation.input_tokens': 0,
    'longhaul.run.id': 'chat-a-r1',
    'longhaul.chat.id': 'chat-a',
    'longhaul.turn': 2,
  });
  expect(calls).toMatchObject([
    { model: 'openai/gpt-5', outcome: 'ANSWERED', inputTokens: 100, cachedTokens: 40, outputTokens: 7 },
  ]);
  expect(calls[0]?.costUsd).toBeCloseTo((60 * 1.25 + 40 * 0.125 + 7 * 10) / 1e6, 12);
});

test('contents are in the form of the conventions where they are switched on', async () => {
  const { spans } = await observe('openai/gpt-5', { contents: true });
  const { attributes = {} } = spans[0] ?? {};
  const read = (name: string) => JSON.parse(String(attributes[name]));
  expect(read('gen_ai.system_instructions')).toEqual([{ type: 'text', content: 'You answer.' }]);
  expect(read('gen_ai.input.messages')).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'What is it?' }] },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'call-1', name: 'read_file', arguments: '{"path":"a"}' }],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call-1', response: 'It is 42.' }] },
  ]);
  expect(read('gen_ai.output.messages')).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'It is 42.' }], finish_reason: 'stop' },
  ]);
});

test('a call that fails is a span of its own, and so is that of the next model', async () => {
  const { spans, calls } = await observe('busy/large, openai/gpt-5');
  expect(spans.map(({ name, error }) => [name, error])).toEqual([
    ['chat large', 'Too many.'],
    ['chat gpt-5', undefined],
  ]);
  expect(spans[0]?.attributes['error.type']).toBe('ModelRateLimited');
  expect(calls.map(({ model, outcome }) => [model, outcome])).toEqual([
    ['busy/large', 'ModelRateLimited'],
    ['openai/gpt-5', 'ANSWERED'],
  ]);
});

test('the error of the models is thrown as it is', async () => {
  const { outcome, spans } = await observe('busy/large');
  expect(outcome).toMatchObject({ code: 'ModelRateLimited' });
  expect(spans).toHaveLength(1);
});
