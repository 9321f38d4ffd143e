import { expect, test } from '@jest/globals';
import { checkSettings } from '../../../client/start/check-settings.ts';

test.each([0, -1, 1.5, Number.NaN, 21])('%p attempts are refused before anything is started', (maxAttempts) => {
  expect(() => checkSettings({ maxAttempts })).toThrow(/^Expected maxAttempts to be a whole number from 1 to 20, got /);
});

test('unset settings do not reach the workflow', () => {
  expect(checkSettings({ maxAttempts: 2, model: undefined, network: undefined })).toEqual({ maxAttempts: 2 });
});

test.each(['', ' , ,', 'ollama/', '/gpt-5', 'openai/gpt-5, ollama/'])('%j as a model is refused', (model) => {
  for (const settings of [{ model }, { models: { code: model } }])
    expect(() => checkSettings(settings)).toThrow(/^Expected the name of a model, such as openai\/gpt-5, or several/);
});

test("a router's model and a list of models are accepted", () => {
  for (const model of ['gpt-5', 'router/vendor/model:free', 'openai/gpt-5, ollama/qwen3:8b'])
    expect(checkSettings({ model })).toEqual({ model });
});
