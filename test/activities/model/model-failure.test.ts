import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { adviceInChat, modelFailure } from '../../../activities/model/model-failure.ts';
import { nameFailure } from '../../../activities/name-failure.ts';
import { ModelError } from '../../../domain/model/model-error.ts';
import type { ModelProvider } from '../../../domain/model/model-provider.ts';
import { type ScriptedModel, startScriptedModel } from '../../../testing/index.ts';
import { contractProviders, type ProviderName, providerNames } from '../../support/contract-providers.ts';

let model: ScriptedModel;
let providers: Record<ProviderName, ModelProvider>;
beforeAll(async () => {
  model = await startScriptedModel({ script: { entries: [{ role: 'code', turns: [{ text: 'Hello.' }] }] } });
  providers = await contractProviders(model.url, 60_000);
});
afterAll(() => model?.close());

const converter = new DefaultFailureConverter();
/** The size, in characters of JSON, of a failure as workflow history stores it. */
const sizeOf = (error: unknown) => JSON.stringify(converter.errorToFailure(error, defaultPayloadConverter)).length;

test.each(providerNames)('%s: the page of a gateway is shortened for the history', async (name) => {
  model.misbehave({ kind: 'status', status: 502, message: `<html>${'Bad gateway. '.repeat(8_000)}` });
  const labels = { Run: 'r', Role: 'code', Turn: '1' };
  const messages = [{ role: 'user' as const, content: { text: 'Hello.' } }];
  const request = { model: 'm', messages, tools: [], labels, signal: new AbortController().signal };
  const error = await providers[name].complete(request).catch((thrown: ModelError) => thrown);
  if (!(error instanceof ModelError)) throw new Error('Expected a failure, got an answer.');
  expect(error.message).toMatch(/502.*<html>Bad gateway\. .*… \(request req_r_1\)$/);
  expect(error.message.length).toBeLessThan(400);
  // Beyond the message, this leaves room for the stack, which repeats it.
  expect(sizeOf(modelFailure(error))).toBeLessThan(4_000);
  expect(sizeOf(nameFailure(error))).toBeLessThan(4_000); // the path of a failed embedding call
  expect(nameFailure(error)).toMatchObject({ type: 'ModelServerError', nonRetryable: false });
});

test("the provider's words and the advice are separate sentences", () => {
  const failureOf = (said: string) => modelFailure(new ModelError(said, { code: 'ModelRequestRefused' })).message;
  expect(failureOf('400 No entry for role "code"')).toContain('role "code". Check the model');
  expect(failureOf('It is wrong.')).toContain('It is wrong. Check the model');
});

test('a server that is away is named with what to check, although it is asked again', () => {
  const away = new ModelError('Could not reach vllm: connect ECONNREFUSED 127.0.0.1:9', { code: 'ModelUnreachable' });
  expect(modelFailure(away)).toMatchObject({
    message:
      'Could not reach vllm: connect ECONNREFUSED 127.0.0.1:9. Check that its server runs, and its address (`longhaul config`).',
    nonRetryable: false,
  });
});

test('a silent model is reported before half a day has passed', () => {
  const silence = new ModelError('openai/gpt-5 said nothing for 15 minutes.', { code: 'ModelTimeout' });
  const retried = (tries: number) => !modelFailure(silence, { tries }).nonRetryable;
  expect([1, 3, 4].map(retried)).toEqual([true, true, false]);
  const overloaded = new ModelError('openai/gpt-5 answered: 529', { code: 'ModelOverloaded' });
  expect(modelFailure(overloaded, { tries: 50 })).toMatchObject({ nonRetryable: false });
});

test.each([
  [0, 1, 1_000],
  [6, 3, 4_000],
  [174, 30, 60_000],
  [30_000, 3, 30_000],
])('a provider that asks for %i ms at try %i neither ends the retries nor uses them up', (asked, tries, pause) => {
  const limited = new ModelError('Slow down.', { code: 'ModelRateLimited', retryAfterMs: asked });
  expect(modelFailure(limited, { tries })).toMatchObject({ nextRetryDelay: pause, nonRetryable: false });
  const inChat = modelFailure(limited, { ...adviceInChat, tries });
  expect(inChat.nextRetryDelay).toBe(Math.max(asked, Math.min(pause, 10_000)));
});
