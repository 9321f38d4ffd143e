import { expect, test } from '@jest/globals';
import type { LonghaulConfig } from '../../../config/define-config.ts';
import { readModelSettings } from '../../../config/settings/model-settings.ts';
import { callSettingsOf, valuesOf } from '../../../domain/model/call-settings-of-role.ts';
import { parseModelName } from '../../../domain/model/model-name.ts';
import { embeddingModelOf, expectModelOf, modelOf } from '../../../domain/model/model-of-role.ts';
import { createModels } from '../../../models/create-models.ts';

const read = (environment: Record<string, string>, name?: string, config?: LonghaulConfig) =>
  readModelSettings(environment, { name }, config);

test('without a key or an address the example asks the scripted model', () => {
  expect(read({}).scripted).toBe(true);
  expect(read({ OPENAI_API_KEY: ' ' }).scripted).toBe(true);
  expect(read({ ANTHROPIC_API_KEY: 'k' }).scripted).toBe(false);
  expect(read({}, 'ollama/qwen3').scripted).toBe(false); // a local server needs no key
});

test('a model without its provider belongs to the configured one', () => {
  const { providers } = read({ ANTHROPIC_API_KEY: 'k' });
  expect(parseModelName('claude-opus-5', Object.keys(providers))).toEqual({
    provider: 'anthropic',
    model: 'claude-opus-5',
  });
  expect(parseModelName('meta/llama-4', Object.keys(providers))).toMatchObject({ model: 'meta/llama-4' });
});

test("a proxy's key never goes to OpenAI", () => {
  const missing = /Expected LITELLM_BASE_URL to be the address of litellm/;
  const key = { LITELLM_API_KEY: 'k', LITELLM_BASE_URL: ' ' };
  expect(() => read(key)).toThrow(missing);
  expect(() => read({ OPENAI_API_KEY: 'k' }, 'openai/gpt-5, litellm/gpt-4o')).toThrow(missing);
  // The proxy is not used here, so its address is not needed.
  expect(Object.keys(read({ ...key, VLLM_BASE_URL: 'http://gpu.test/v1' }).providers)[0]).toBe('vllm');
  const reached = read({ ...key, LITELLM_BASE_URL: 'http://proxy.test' }, 'litellm/gpt-4o');
  expect(reached.providers.litellm).toMatchObject({ baseUrl: 'http://proxy.test' });
  const own = [{ name: 'litellm', complete: () => Promise.reject(new Error('not asked here')) }];
  expect(read({}, 'litellm/gpt-4o', { providers: own }).scripted).toBe(false);
});

test('the labels of requests go only to providers that use them', () => {
  const { providers } = read({ OPENAI_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://gateway.test' });
  expect(providers.openai).toMatchObject({ headers: false });
  for (const itself of ['https://api.openai.com/v1', 'https://eu.api.openai.com/v1'])
    expect(read({ OPENAI_BASE_URL: itself }).providers.openai).toMatchObject({ baseUrl: itself, headers: false });
  expect(providers.anthropic).toMatchObject({ headers: true });
});

test("a role's own model takes precedence over the general one", () => {
  const settings = read(
    { OPENAI_API_KEY: 'k', LONGHAUL_MODEL_CODE: 'openai/gpt-5.4', LONGHAUL_MODEL_HEADERS: 'off' },
    'gpt-5-mini',
  );
  expect(modelOf(settings, 'code')).toEqual({ value: 'openai/gpt-5.4', source: 'environment' });
  expect(modelOf(settings, 'planner')).toEqual({ value: 'gpt-5-mini', source: 'environment' });
});

test('settings of project, environment, file and default have this precedence', () => {
  const config = { models: { code: ['a/file-code', 'b/file-code'], default: 'a/file' } };
  const both = read({ LONGHAUL_MODEL_TESTING: 'a/env-testing' }, undefined, config);
  expect(modelOf(both, 'code', { model: 'a/project' })).toEqual({ value: 'a/project', source: 'project' });
  expect(modelOf(both, 'code', { model: 'a/project', models: { code: 'a/own' } }).value).toBe('a/own');
  expect(modelOf(both, 'testing')).toEqual({ value: 'a/env-testing', source: 'environment' });
  expect(modelOf(both, 'code')).toEqual({ value: 'a/file-code, b/file-code', source: 'file' });
  expect(modelOf(both, 'research')).toEqual({ value: 'a/file', source: 'file' });
  // The environment's model for all roles wins over the file's for one role.
  expect(modelOf(read({}, 'a/env', config), 'code')).toEqual({ value: 'a/env', source: 'environment' });
  expect(modelOf(read({ ANTHROPIC_API_KEY: 'k' }), 'summarizer')).toMatchObject({ source: 'default' });
});

test('settings of one provider never go to another', () => {
  const usual = (environment: Record<string, string>, name?: string, config?: LonghaulConfig) =>
    modelOf(read(environment, name, config), 'code').value;
  expect(usual({ OPENAI_BASE_URL: 'http://gateway.test/v1' })).toBe('openai/gpt-5');
  expect(usual({ ANTHROPIC_API_KEY: 'k' })).toBe('anthropic/claude-sonnet-5');
  expect(usual({ OPENROUTER_API_KEY: 'k' })).toBe('openrouter/openai/gpt-5');
  expect(usual({ LITELLM_BASE_URL: 'http://proxy.test' })).toBe('');
  expect(usual({ LONGHAUL_MODEL_PLANNER: 'ollama/qwen3' })).toBe('');
  const own = [{ name: 'mine', complete: () => Promise.reject(new Error('not asked here')) }];
  expect(usual({}, undefined, { providers: own, models: { planner: 'mine/m' } })).toBe('');
  expect(usual({})).toBe('openai/gpt-5'); // which the scripted model stands for
  expect(() => expectModelOf(read({ LITELLM_BASE_URL: 'http://proxy.test' }), 'code')).toThrow(
    'Expected a model for the role code, since the configured provider has no default model; got none. Set LONGHAUL_MODEL to a `provider/model`.',
  );
});

test('a text model is not asked for vectors', () => {
  expect(embeddingModelOf(read({}, 'a/env', { models: { default: 'a/file' } }))).toMatchObject({ value: 'local' });
  expect(embeddingModelOf(read({ LONGHAUL_MODEL_EMBEDDING: 'a/vectors' }))).toMatchObject({ value: 'a/vectors' });
});

test("a role's setting in the environment keeps its others from the file", () => {
  const config: LonghaulConfig = {
    modelSettings: { code: { reasoningEffort: 'low', maxOutputTokens: 9000 }, default: { temperature: 0 } },
  };
  const settings = read({ LONGHAUL_REASONING_EFFORT_CODE: 'high' }, undefined, config);
  const ofCode = callSettingsOf(settings, 'code');
  expect(valuesOf(ofCode)).toEqual({ reasoningEffort: 'high', maxOutputTokens: 9000, temperature: 0 });
  expect(ofCode.reasoningEffort?.source).toBe('environment');
  expect(ofCode.maxOutputTokens?.source).toBe('file');
  expect(valuesOf(callSettingsOf(settings, 'planner'))).toEqual({ temperature: 0 });
});

test.each([
  [
    { LONGHAUL_MODEL_CODER: 'a/b' },
    /LONGHAUL_MODEL_<ROLE> to name one of the roles .*CODE.*, got LONGHAUL_MODEL_CODER/,
  ],
  [{ LONGHAUL_REASONING_EFFORT_EMBEDDING: 'low' }, /got LONGHAUL_REASONING_EFFORT_EMBEDDING/],
  [
    { LONGHAUL_REASONING_EFFORT_CODE: 'extreme' },
    /LONGHAUL_REASONING_EFFORT_CODE to be one of low, medium, high, got "extreme"/,
  ],
] as Array<[Record<string, string>, RegExp]>)('%j counts as a setting', (environment, message) => {
  expect(() => read(environment)).toThrow(message);
});

test('a custom provider counts as a model', () => {
  const providers = [{ name: 'mine', complete: () => Promise.reject(new Error('not asked here')) }];
  expect(read({}, undefined, { providers, models: { default: 'mine/m' } }).scripted).toBe(false);
  expect(read({}, undefined, { providers }).scripted).toBe(true);
});

test("a person's context window takes precedence", () => {
  const file = { contextWindows: { 'ollama/one': 8000, 'ollama/two': 16_000, 'gpt-5': 100_000, default: 64_000 } };
  const of = (text: string | undefined, config: LonghaulConfig = file) =>
    createModels(readModelSettings({ OPENAI_API_KEY: 'k' }, { contextWindows: text }, config)).contextWindowOf;
  expect(of(undefined)('ollama/one')).toBe(8000);
  expect(of('ollama/one=32768')('ollama/one')).toBe(32_768);
  expect(of('ollama/one=32768')('ollama/two')).toBe(16_000);
  expect(of(undefined)('openai/gpt-5')).toBe(100_000); // named without its provider
  expect(of(undefined)('vllm/org/model')).toBe(64_000);
  expect(of(' ollama/qwen3:8b = 4096 , 32768')('ollama/qwen3:8b')).toBe(4096);
  expect(of('ollama/x=4096, 32768')('vllm/org/model')).toBe(32_768);
  expect(of('32768')('anthropic/claude-opus-4-5')).toBe(200_000); // the known window wins
  expect(of('32768')('anthropic/claude-opus-4-5, ollama/two')).toBe(16_000); // the smallest, since any of them may be asked
  expect(of(undefined, {})('vllm/org/model')).toBe(128_000);
  expect(of(undefined, {})('openai/gpt-5')).toBe(272_000); // its whole window less the room for the answer
  for (const wrong of ['ollama/one=much', '12', 'ollama/one', '']) expect(() => of(`4096,${wrong}`)).toThrow(/got "/);
});

test('an invalid address is an error of the settings', () => {
  expect(() => readModelSettings({ OPENAI_BASE_URL: 'nonsense' }, {})).toThrow(
    'Expected OPENAI_BASE_URL to be an address, such as https://gateway.example/v1; got "nonsense".',
  );
});

test("a server for embeddings does no agents' work", () => {
  const settings = read({ LONGHAUL_MODEL_EMBEDDING: 'ollama/nomic-embed-text' });
  expect(settings.scripted).toBe(true);
  expect(embeddingModelOf(settings).value).toBe('ollama/nomic-embed-text');
});
