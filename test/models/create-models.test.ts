import { expect, test } from '@jest/globals';
import { createModels } from '../../models/create-models.ts';
import { ModelError, type ModelErrorDetails } from '../../models/model-error.ts';
import type { ModelProvider } from '../../models/model-provider.ts';

const request = { messages: [], tools: [], labels: {}, signal: new AbortController().signal };

/** A provider of one's own whose models fail as told, by name. */
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

test("a provider of one's own would not be asked, or under another model's name", async () => {
  const { own, asked } = provider({});
  const answer = await createModels({ providers: {}, own }).complete('mine/org/model-7', request);
  expect(answer).toMatchObject({ text: 'org/model-7', model: 'mine/org/model-7' });
  expect(asked).toEqual(['org/model-7']);
});

test('a model that is not available would end the call although another one is named', async () => {
  const { own, asked } = provider({ a: { why: 'overloaded' }, b: { why: 'quota-spent' } });
  const fallen: string[] = [];
  const models = createModels({ providers: {}, own });
  const onFallback = (name: string, error: ModelError) => void fallen.push(`${name} ${error.why}`);
  expect(await models.complete('mine/a, mine/b, mine/c', request, { onFallback })).toMatchObject({ model: 'mine/c' });
  expect(asked).toEqual(['a', 'b', 'c']);
  expect(fallen).toEqual(['mine/a overloaded', 'mine/b quota-spent']);
});

test('what is wrong with the request would be paid for with every model', async () => {
  const { own, asked } = provider({ a: { why: 'context-too-long' } });
  await expect(createModels({ providers: {}, own }).complete('mine/a,mine/b', request)).rejects.toMatchObject({
    why: 'context-too-long',
  });
  expect(asked).toEqual(['a']);
});

test('where none is available, a failure that may pass would be hidden behind one that does not', async () => {
  const { own } = provider({ a: { why: 'authentication' }, b: { why: 'rate-limited', retryAfterMs: 5 } });
  await expect(createModels({ providers: {}, own }).complete('mine/a,mine/b', request)).rejects.toMatchObject({
    why: 'rate-limited',
    retryable: true,
  });
});
