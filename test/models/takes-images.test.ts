import { expect, test } from '@jest/globals';
import { createModels } from '../../models/create-models.ts';

const models = createModels({
  providers: Object.fromEntries(
    ['openai', 'anthropic', 'openrouter', 'ollama'].map((name) => [name, { headers: false }]),
  ),
  textOnlyModels: ['ollama/blind'],
});

test.each([
  'openai/gpt-3.5-turbo',
  'openrouter/openai/gpt-oss-120b',
  'openai/deepseek-chat',
  'ollama/qwen3-coder:30b',
  'ollama/blind',
])('%s is known, or set, to take no pictures', (name) => {
  expect(models.textOnlyOf(name)).toBe(name);
});

test.each(['openai/gpt-5', 'anthropic/claude-opus-5', 'openai/deepseek-vl2', 'ollama/nobody-knows'])(
  '%s is sent them',
  (name) => {
    expect(models.textOnlyOf(name)).toBeUndefined();
  },
);

test('of several models the first counts, which is the one that is asked', () => {
  expect(models.textOnlyOf('openai/gpt-5, ollama/blind')).toBeUndefined();
  expect(models.textOnlyOf('o3-mini, openai/gpt-5')).toBe('openai/o3-mini');
});
