import { expect, test } from '@jest/globals';
import { costOf } from '../../../models/usage/prices.ts';

const usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
const million = 1_000_000;

test('the cost of a model without a price is unknown', () => {
  expect(costOf('ollama/qwen3', { ...usage, inputTokens: million })).toBeNull();
});

test('cached tokens are priced once, at their own price', () => {
  const call = { ...usage, inputTokens: 3 * million, cachedTokens: million, cacheWriteTokens: million };
  expect(costOf('anthropic/claude-sonnet-5', call)).toBeCloseTo(2 + 0.2 + 2.5);
  expect(costOf('openai/gpt-5', { ...call, cacheWriteTokens: 0 })).toBeCloseTo(2 * 1.25 + 0.125);
});

test('reasoning tokens are priced once, as output', () => {
  expect(costOf('openai/gpt-5', { ...usage, outputTokens: million, reasoningTokens: million })).toBeCloseTo(10);
});

test('embeddings have a price', () => {
  expect(costOf('openai/text-embedding-3-small', { ...usage, inputTokens: million })).toBeCloseTo(0.02);
  expect(costOf('vllm/nomic', { ...usage, inputTokens: million })).toBeNull();
});

test('a dated version of a model has its price', () => {
  expect(costOf('anthropic/claude-haiku-4-5-20251001', { ...usage, outputTokens: million })).toBeCloseTo(5);
});

test('a long request has its higher price', () => {
  const model = 'anthropic/claude-haiku-5-5';
  expect(costOf(model, { ...usage, inputTokens: 100_000 })).toBeCloseTo(0.01);
  expect(costOf(model, { ...usage, inputTokens: 200_000 })).toBeCloseTo(0.1);
});
