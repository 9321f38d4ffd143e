import { expect, test } from '@jest/globals';
import { findSecret, removeSecrets } from '../../../../db/memory/quality/secrets.ts';

/** Made up, and put together here so that no scanner takes this file for a leak. */
const secrets = {
  'an AWS access key': `AKIA${'ABCDEFGHIJKLMNOP'}`,
  'an OpenAI key': `sk-${'proj-'}${'a1B2'.repeat(8)}`,
  'an Anthropic key': `sk-ant-${'api03-'}${'a1B2'.repeat(8)}`,
  'a GitHub token': `ghp_${'a1B2'.repeat(9)}`,
  'a GitLab token': `glpat-${'a1B2'.repeat(5)}`,
  'a Google API key': `AIza${'a1B2c'.repeat(7)}`,
  'a Hugging Face token': `hf_${'a1B2c'.repeat(7)}`,
  'an npm token': `npm_${'a1B2'.repeat(9)}`,
  'a Slack token': `xoxb-${'123456789012'}-abc`,
  'a Stripe key': `sk_live_${'a1B2'.repeat(6)}`,
  'a JSON web token': `eyJ${'hbGciOiJIUzI1'}.eyJ${'zdWIiOiIxMjM0'}.${'a1B2'.repeat(5)}`,
  'a private key': `-----BEGIN ${'RSA '}PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----`,
  'a password in an address': 'postgres://user:hunter2@host/db',
  'a password or key that is named as one': 'API_KEY="abc123def456"',
};

test.each(Object.entries(secrets))('%s would be kept', (name, secret) => {
  const text = `We use ${secret} for it.`;
  expect(findSecret(text)).toBe(name);
  expect(removeSecrets(text)).toContain(`[removed: ${name}]`);
  expect(findSecret(removeSecrets(text))).toBeUndefined();
});

test('what only speaks of secrets, or looks long, would be refused', () => {
  for (const text of [
    'The API key is read from OPENAI_API_KEY.',
    'password: at least twelve characters',
    'The secret = what the vault gives',
    'commit 3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    'risk-assessment-of-the-whole-project-plan',
    'http://127.0.0.1:8080/path',
    'task-based-routing-with-many-small-steps',
  ]) {
    expect([text, findSecret(text)]).toEqual([text, undefined]);
  }
});
