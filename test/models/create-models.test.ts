import { expect, test } from '@jest/globals';
import { ModelError, type ModelErrorDetails } from '../../domain/model/model-error.ts';
import type { ModelProvider } from '../../domain/model/model-provider.ts';
import { createModels } from '../../models/create-models.ts';

const request = { messages: [], tools: [], labels: {}, signal: new AbortController().signal };

/** A user-defined provider whose models fail as given here, by name. */
function provider(failures: Record<string, ModelErrorDetails>): { own: ModelProvider[]; asked: string[] } {
  const asked: string[] = [];
  const own: ModelProvider = {
    name: 'mine',
    async complete({ model }) {
      asked.push(model);
      const failure = failures[model];
      if (failure) throw new ModelError(`${model} failed`, failure);
      return {
        text: model,
        toolCalls: [],
        finish: 'done',
        usage: { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 },
        firstTokenMs: 1,
        requestId: null,
      };
    },
  };
  return { own: [own], asked };
}

test("a custom provider is asked under the model's name", async () => {
  const { own, asked } = provider({});
  const answer = await createModels({ providers: {}, own }).complete('mine/org/model-7', request);
  expect(answer).toMatchObject({ text: 'org/model-7', model: 'mine/org/model-7' });
  expect(asked).toEqual(['org/model-7']);
});

test('if a model is not available, the next one is asked', async () => {
  const { own, asked } = provider({
    a: { code: 'ModelOverloaded' },
    b: { code: 'ModelQuotaSpent' },
    gone: { code: 'ModelNotFound' },
  });
  const fallen: string[] = [];
  const models = createModels({ providers: {}, own });
  const onFallback = (name: string, error: ModelError) => void fallen.push(`${name} ${error.code}`);
  expect(await models.complete('mine/a, mine/b, mine/gone, mine/c', request, { onFallback })).toMatchObject({
    model: 'mine/c',
  });
  expect(asked).toEqual(['a', 'b', 'gone', 'c']);
  expect(fallen).toEqual(['mine/a ModelOverloaded', 'mine/b ModelQuotaSpent', 'mine/gone ModelNotFound']);
});

test('a project without a named model waits until one is', async () => {
  await expect(createModels({ providers: {} }).complete('', request)).rejects.toMatchObject({
    message: 'No model is set. Set LONGHAUL_MODEL to a `provider/model`.',
    code: 'ModelNotFound',
  });
});

test('an invalid request is sent to one model only', async () => {
  const { own, asked } = provider({ a: { code: 'ModelContextTooLong' } });
  await expect(createModels({ providers: {}, own }).complete('mine/a,mine/b', request)).rejects.toMatchObject({
    code: 'ModelContextTooLong',
  });
  expect(asked).toEqual(['a']);
});

test('if the fallback refuses the request, the first model is waited for', async () => {
  const models = (code: 'ModelRequestRefused' | 'ModelContextTooLong') =>
    createModels({ providers: {}, ...{ own: provider({ a: { code: 'ModelOverloaded' }, b: { code } }).own } });
  await expect(models('ModelRequestRefused').complete('mine/a,mine/b', request)).rejects.toMatchObject({
    code: 'ModelOverloaded',
  });
  // A conversation is shortened for whoever answers.
  await expect(models('ModelContextTooLong').complete('mine/a,mine/b', request)).rejects.toMatchObject({
    code: 'ModelContextTooLong',
  });
});

test('if no model is available, a failure that may pass is the one reported', async () => {
  const { own } = provider({ a: { code: 'ModelAuthentication' }, b: { code: 'ModelRateLimited', retryAfterMs: 5 } });
  await expect(createModels({ providers: {}, own }).complete('mine/a,mine/b', request)).rejects.toMatchObject({
    code: 'ModelRateLimited',
    retryable: true,
  });
});

test.each([
  [undefined, '/v1/responses'],
  ['https://api.openai.com/v1', '/v1/responses'],
  ['https://eu.api.openai.com/v1/', '/v1/responses'],
  ['https://gateway.test/api.openai.com/v1', '/api.openai.com/v1/chat/completions'],
  ['https://api.openai.com.test/v1', '/v1/chat/completions'],
])('a reasoning model at %s is asked by the interface that keeps its thoughts', async (baseUrl, path) => {
  const asked: string[] = [];
  const sent: unknown[] = [];
  const send: typeof fetch = async (input, init) => {
    asked.push(new URL(String(input)).pathname);
    sent.push(JSON.parse(String(init?.body)));
    return new Response('{}', { status: 400 });
  };
  const models = createModels({ providers: { openai: { apiKey: 'k', baseUrl, headers: false } }, fetch: send });
  const messages = [{ role: 'user' as const, content: { text: 'Hello.' } }];
  const limited = { ...request, messages, maxOutputTokens: 900 };
  for (const name of ['openai/gpt-5', 'openai/gpt-4.1']) {
    await expect(models.complete(name, limited)).rejects.toMatchObject({ code: 'ModelRequestRefused' });
  }
  expect(asked[0]).toBe(path);
  expect(asked[1]).toMatch(/chat\/completions$/);
  expect(sent[1]).toMatchObject(path.endsWith('responses') ? { max_completion_tokens: 900 } : { max_tokens: 900 });
});

test.each([
  ['openai', undefined],
  ['openai', 'https://eu.api.openai.com/v1'],
  ['anthropic', undefined],
  ['anthropic', 'https://api.anthropic.com'],
])('a model of an unknown provider is not asked for at %s itself (%s)', async (name, baseUrl) => {
  const providers = {
    [name]: { apiKey: 'k', headers: false, ...(baseUrl && { baseUrl }) },
    ollama: { headers: false },
  };
  const send: typeof fetch = async () => {
    throw new Error('it was asked for');
  };
  await expect(createModels({ providers, fetch: send }).complete('nosuch/x', request)).rejects.toMatchObject({
    code: 'ModelNotFound',
    message: `There is no provider "nosuch". Expected one of ${name}, ollama, or another in longhaul.config.ts (docs/models.md).`,
  });
});

test('a router is asked for its models with slashes', async () => {
  const sent: unknown[] = [];
  const send: typeof fetch = async (_, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return new Response('{}', { status: 400 });
  };
  const providers = { openai: { apiKey: 'k', headers: false, baseUrl: 'https://router.test/v1' } };
  await createModels({ providers, fetch: send })
    .complete('meta/llama-4', request)
    .catch(() => {});
  expect(sent).toMatchObject([{ model: 'meta/llama-4' }]);
});

test('what a server counts is not believed where it cannot be, and marked', async () => {
  const usage = { inputTokens: 0, cachedTokens: 9, cacheWriteTokens: 0, outputTokens: -95, reasoningTokens: 0 };
  const own: ModelProvider = {
    name: 'mine',
    complete: async () => ({
      ...{ text: 'y'.repeat(70), toolCalls: [], finish: 'done' as const, usage, firstTokenMs: 1, requestId: null },
    }),
  };
  const messages = [{ role: 'user' as const, content: { text: 'x'.repeat(35_000) } }];
  const models = createModels({ providers: {}, own: [own] });
  expect(await models.complete('mine/m', { ...request, messages })).toMatchObject({
    usage: { inputTokens: 10_000, cachedTokens: 9, outputTokens: 20 },
    isEstimated: true,
  });
});

test('an answer of a custom provider that goes on for too long is given up', async () => {
  const own: ModelProvider = {
    name: 'mine',
    complete: ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const models = createModels({ providers: {}, own: [own], answerMinutes: 0.001 });
  await expect(models.complete('mine/m', request)).rejects.toMatchObject({ code: 'ModelAnswerTooLong' });
});
