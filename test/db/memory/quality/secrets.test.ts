import { expect, test } from '@jest/globals';
import { findSecret, removeSecrets } from '../../../../db/memory/quality/secrets.ts';

/** Made up, and assembled here so that no secret scanner takes this file for a leak. */
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

test.each([
  'DB_PASSWORD=hunter2hunter2',
  'PGPASSWORD=hunter2hunter2',
  'DB_PASS=hunter2hunter2',
  'SERVICE_API_KEY=abc123def456',
  'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'GITHUB_TOKEN=abc123def456ghi',
  'client_secret: 0a1b2c3d4e5f6a7b',
  '{"clientSecret": "0a1b2c3d4e5f6a7b"}',
  'STRIPE_WEBHOOK_SECRET=whsec_a1B2c3D4e5F6',
  'SECRET_KEY = "abc123def456"',
])('the value of %s, as an environment variable or setting stands in files and logs, would be kept', (secret) => {
  const text = `Begun with ${secret} set.`;
  expect(findSecret(text)).toBe('a password or key that is named as one');
  expect(removeSecrets(text)).not.toContain(secret.slice(-8, -2));
  expect(findSecret(removeSecrets(text))).toBeUndefined();
});

test('what only speaks of secrets, or looks long, would be refused', () => {
  for (const text of [
    'The API key is read from OPENAI_API_KEY.',
    'OPENAI_API_KEY= is left empty, GITHUB_TOKEN: none of 12345678',
    'OPENAI_API_KEY=\nS3_BUCKET=files-of-2026',
    `const token = process.env.OAUTH2_TOKEN; api_key = os.environ["S3_KEY"]; DB_PASSWORD=\${DB_1_PASSWORD}`,
    'sign(privateKey: Uint8Array, max_tokens=16384) with token = randomBytes(32).toString("hex")',
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

/** Prefixes at which each pattern might start to match again and again without ever succeeding. */
const beginnings = [
  'a.',
  'a-b://',
  'a://b:c',
  'eyJ-',
  `eyJ${'a'.repeat(10)}.`,
  'password=',
  'A_SECRET_ACCESS_KEY=',
  'token_',
  'secret ',
  '-----BEGIN A ',
  'sk-',
];

test.each(beginnings)('a megabyte of "%s" would hold up everything else for minutes', (beginning) => {
  const text = beginning.repeat(2 ** 20 / beginning.length);
  const since = performance.now();
  findSecret(text);
  removeSecrets(text);
  expect(performance.now() - since).toBeLessThan(20_000); // some hundred milliseconds on an idle machine
});
