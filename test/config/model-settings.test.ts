import { expect, test } from '@jest/globals';
import { readModelSettings } from '../../config/model-settings.ts';
import { parseModelName } from '../../models/model-name.ts';
import { modelOf } from '../../models/model-of-role.ts';

const read = (environment: Record<string, string>, name?: string) => readModelSettings(environment, { name });

test('without a key or an address the example would ask a provider', () => {
  expect(read({}).scripted).toBe(true);
  expect(read({ OPENAI_API_KEY: ' ' }).scripted).toBe(true);
  expect(read({ ANTHROPIC_API_KEY: 'k' }).scripted).toBe(false);
  expect(read({}, 'ollama/qwen3').scripted).toBe(false); // a local server needs neither
});

test('a model named without its provider would be asked of one that is not set', () => {
  const { providers } = read({ ANTHROPIC_API_KEY: 'k' });
  expect(parseModelName('claude-opus-5', Object.keys(providers))).toEqual({
    provider: 'anthropic',
    model: 'claude-opus-5',
  });
  expect(parseModelName('meta/llama-4', Object.keys(providers))).toMatchObject({ model: 'meta/llama-4' });
});

test('the labels of requests would go to a provider that has no use for them', () => {
  const { providers } = read({ OPENAI_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://gateway.test' });
  expect(providers.openai).toMatchObject({ headers: false });
  expect(providers.anthropic).toMatchObject({ headers: true });
});

test("a role's own model would not go before that of all, or another setting be taken for one", () => {
  const settings = read(
    { OPENAI_API_KEY: 'k', LONGHAUL_MODEL_CODE: 'openai/gpt-5.4', LONGHAUL_MODEL_HEADERS: 'off' },
    'gpt-5-mini',
  );
  expect(modelOf(settings, 'code')).toBe('openai/gpt-5.4');
  expect(modelOf(settings, 'planner')).toBe('gpt-5-mini');
  expect(Object.keys(settings.roles)).toEqual(['code']);
});

test('a server that embeds memories would be asked to do the work of agents', () => {
  const settings = read({ LONGHAUL_MODEL_EMBEDDING: 'ollama/nomic-embed-text' });
  expect(settings.scripted).toBe(true);
  expect(settings.roles.embedding).toBe('ollama/nomic-embed-text');
});
