import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { connectionError, httpError } from '../../models/http-error.ts';

function errorOf(message: string, status: number | undefined, codes: string[] = [], headers?: Record<string, string>) {
  const given = headers && new Headers(headers);
  return httpError({ message, status, headers: given, codes, requestId: null }, undefined);
}

// In the providers' own words.
test.each([
  ['ModelQuotaSpent', 402, 'Insufficient credits. Add more using https://openrouter.ai/settings/credits', []],
  ['ModelQuotaSpent', 402, 'Insufficient Balance', ['invalid_request_error']],
  ['ModelQuotaSpent', 429, 'You exceeded your current quota, please check your plan.', ['insufficient_quota']],
  ['ModelQuotaSpent', 400, 'Your credit balance is too low to access the Anthropic API.', ['invalid_request_error']],
  ['ModelQuotaSpent', 403, 'Billing', ['billing_error']],
  ['ModelContentRefused', 400, 'Your request was rejected by our safety system.', ['content_policy_violation']],
  [
    'ModelContentRefused',
    400,
    "The response was filtered due to the prompt triggering Azure's policy.",
    ['content_filter'],
  ],
  ['ModelContentRefused', 400, 'Invalid prompt: your prompt was flagged.', ['invalid_prompt']],
  ['ModelContentRefused', 403, 'openai/gpt-5 requires moderation. Your input was flagged for "violence".', []],
  ['ModelContextTooLong', 400, 'prompt is too long: 250000 tokens > 200000 maximum', ['invalid_request_error']],
  [
    'ModelContextTooLong',
    400,
    'input length and `max_tokens` exceed context limit: 178959 + 32000 > 200000, decrease input length or `max_tokens`',
    ['invalid_request_error'],
  ],
  ['ModelContextTooLong', 413, 'Request exceeds the maximum size', ['request_too_large']],
  ['ModelContextTooLong', undefined, 'Request exceeds the maximum size', ['request_too_large']],
  ['ModelContextTooLong', 413, '413 Request Entity Too Large', []],
  [
    'ModelContextTooLong',
    400,
    "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    [],
  ],
  ['ModelContextTooLong', 400, 'Your input exceeds the context window of this model.', ['context_length_exceeded']],
  [
    'ModelContextTooLong',
    400,
    "This model's maximum context length is 32768 tokens. However, you requested 40000.",
    [],
  ],
  ['ModelContextTooLong', 400, 'the request exceeds the available context size, try increasing it', []],
  [
    'ModelContextTooLong',
    400,
    "You passed 32769 input tokens and requested 0 output tokens. However, the model's context length is only 32768 tokens, resulting in a maximum input length of 32768 tokens.",
    [],
  ],
  [
    'ModelContextTooLong',
    undefined,
    "You passed 32769 input tokens and requested 0 output tokens. However, the model's context length is only 32768 tokens, resulting in a maximum input length of 32768 tokens.",
    [],
  ],
  [
    'ModelContextTooLong',
    400,
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length.',
    [],
  ],
  [
    'ModelContextTooLong',
    undefined,
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length.',
    [],
  ],
  [
    'ModelContextTooLong',
    400,
    'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    [],
  ],
  [
    'ModelContextTooLong',
    undefined,
    'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    [],
  ],
  ['ModelContextTooLong', 400, 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)', []],
  ['ModelContextTooLong', undefined, 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)', []],
  ['ModelContextTooLong', 500, 'request (9000 tokens) too large', ['exceed_context_size_error']],
  ['ModelContextTooLong', 400, 'The input token count (1200000) exceeds the maximum number of tokens allowed.', []],
  ['ModelContextTooLong', 400, 'Input is too long for requested model.', []],
  ['ModelContextTooLong', 500, 'input (9000 tokens) is too large to process. increase the physical batch size', []],
  [
    'ModelRateLimited',
    429,
    'This request would exceed the rate limit for long context requests.',
    ['rate_limit_error'],
  ],
  ['ModelAuthentication', 403, 'Your key may not use this model.', ['permission_error']],
  ['ModelNotFound', 404, 'model: claude-opus-3', ['not_found_error']],
  ['ModelNotFound', 404, 'model "qwen3" not found, try pulling it first', []],
  ['ModelNotFound', 403, 'Project `p` does not have access to model `gpt-5`.', ['model_not_found']],
  ['ModelNotFound', 400, 'The model `llama3-8b` has been decommissioned.', ['model_decommissioned']],
  ['ModelNotFound', 400, 'meta/llama-9 is not a valid model ID', []],
  ['ModelNotFound', 400, 'Invalid model name passed in model=gpt-9. Call `/v1/models` to view available models.', []],
  ['ModelRequestRefused', 400, "Unknown parameter: 'context'.", ['invalid_request_error']],
] as Array<[string, number | undefined, string, string[]]>)(
  '%s is recognized by %p "%s"',
  (code, status, message, codes) => {
    expect(errorOf(message, status, codes).code).toBe(code);
  },
);

describe('what a provider asks for', () => {
  test.each([
    [500, 'false', false],
    [400, 'true', true],
    [500, 'perhaps', true],
  ])('a %i with x-should-retry: %s follows that header', (status, said, retryable) => {
    expect(errorOf('', status, [], { 'x-should-retry': said }).retryable).toBe(retryable);
  });

  test.each([
    [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1500],
    [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
    [{ 'retry-after-ms': '7200000' }, 60_000],
    [{ 'retry-after-ms': '-5' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ] as Array<[Record<string, string>, number | undefined]>)('the pause of %j is respected', (headers, pause) => {
    expect(errorOf('', 429, [], headers).retryAfterMs).toBe(pause);
  });

  test('a pause given as a date is respected', () => {
    const date = new Date(Date.now() + 50_000).toUTCString();
    const pause = errorOf('', 429, [], { 'retry-after': date }).retryAfterMs;
    expect(pause).toBeGreaterThan(30_000);
    expect(pause).toBeLessThanOrEqual(50_000);
  });
});

test('a server that does not run is reported with its address', async () => {
  const probe = createServer().listen(0, 'localhost');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  for (const host of ['127.0.0.1', 'localhost']) {
    const failed = await fetch(`http://${host}:${port}`).catch((error: Error) => error);
    const { message } = connectionError('vllm', new Error('Connection error.', { cause: failed }), false);
    expect(message).toMatch(new RegExp(`^Could not reach vllm: connect ECONNREFUSED (127.0.0.1|::1):${port}$`));
  }
});

test.each(['exceed ', 'context length ', 'n_keep ', 'input token count ', 'your credit balance '])(
  'a long error is classified at once: %p again and again',
  (words) => {
    const since = performance.now();
    expect(errorOf(words.repeat(200_000), 400).code).toBe('ModelRequestRefused');
    expect(performance.now() - since).toBeLessThan(1_000);
  },
);
