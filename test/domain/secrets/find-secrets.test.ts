import { expect, test } from '@jest/globals';
import { findSecret, removeSecrets } from '../../../domain/secrets/find-secrets.ts';

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
  'a Groq key': `gsk_${'a1B2'.repeat(13)}`,
  'an xAI key': `xai-${'a1B2'.repeat(20)}`,
  'a PyPI token': `pypi-${'AgEIcHlwaS5vcmc'}${'a1B2'.repeat(12)}`,
  'a SendGrid key': `SG.${'a1B2_-'.repeat(3)}abcd.${'a1B2'.repeat(10)}abc`,
  'a DigitalOcean token': `dop_v1_${'a1b2'.repeat(16)}`,
  'a Vault token': `hvs.${'a1B2'.repeat(6)}`,
  'a Google access token': `ya29.${'a1B2-_'.repeat(6)}`,
  'a Telegram token': `123456789:${'AAa1B2c'.repeat(5)}`,
  'a token in a header': `Authorization: Bearer ${'a1B2'.repeat(6)}`,
  'a JSON web token': `eyJ${'hbGciOiJIUzI1'}.eyJ${'zdWIiOiIxMjM0'}.${'a1B2'.repeat(5)}`,
  'a private key': `-----BEGIN ${'RSA '}PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----`,
  'a password in an address': 'postgres://user:hunter2@host/db',
  'a password or key that is named as one': 'API_KEY="abc123def456"',
};

test.each(Object.entries(secrets))('%s is refused', (name, secret) => {
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
])('the value of %s is refused as a variable or setting in files and logs', (secret) => {
  const text = `Begun with ${secret} set.`;
  expect(findSecret(text)).toBe('a password or key that is named as one');
  expect(removeSecrets(text)).not.toContain(secret.slice(-8, -2));
  expect(findSecret(removeSecrets(text))).toBeUndefined();
});

test.each([
  'The database password is s3cr3tPass99.',
  `The api key is ${'a1B2'.repeat(10)}`,
  'API key: 0a1b2c3d4e5f6a7b',
  'the password was "hunter2hunter2"',
  'The password for the staging database is Tr0ub4dor&3x',
  'The password of db.example.com is now hunter2hunter2',
  'Their token is `0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d`, they say.',
  'The passphrase is set to P@ssword!',
  'the credentials are admin/s3cr3tPass99',
  'The secret key is wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'our password is: letmein2026',
  'The Wi-Fi password is correct-horse-7-battery',
])('the value in "%s" is refused', (text) => {
  expect(findSecret(text)).toBe('a password or key that is named as one');
  expect(findSecret(removeSecrets(text))).toBeUndefined();
});

test.each([
  `curl -H "Authorization: Bearer ${'a1B2'.repeat(6)}" x`,
  `It sends authorization: bearer ${'0a1b'.repeat(6)}.`,
  `Authorization: Basic ${'YWRtaW46czNjcjN0UGFzczk5'}`,
  `xapp-1-${'A0123456-789-a1b2c3'}`,
])('the permission in "%s" is refused', (text) => {
  expect(findSecret(text)).toBeDefined();
  expect(findSecret(removeSecrets(text))).toBeUndefined();
});

test.each([
  'the password is stored in Vault',
  'The token is refreshed daily',
  'the password is required.',
  'The password is base64-encoded',
  'The password was hashed with SHA-256.',
  'The password is SHA-256-hashed, the token HMAC-SHA256',
  'The token is OAuth2-protected and EC2-instance-bound',
  'The token is 12-character, the password 64-character-long',
  'the secret is HMAC-SHA256, the token is base64url',
  'The API key is OPENAI_API_KEY_2',
  'The password for the database is $DB_1_PASSWORD',
  'The password for production is in 1Password',
  'the password is 1Password-managed',
  "The password is user's own",
  'The token is read-only, and was rate-limited',
  'the password was reset/changed in 2026',
  'The token is valid until 2026-12-01T10:00:00Z.',
  'The token was 2026-12-01T10:00:00Z',
  'The private key is ~/.ssh/id_ed25519 and the token is id_ed25519',
  'The private key is server2026.pem',
  'The access token is RFC-9068',
  'the credentials are secrets/data/app2024',
  'The token is https://vault2.example.com/v1',
  'the credential is anna7@example.com',
  'The password is s3cr*****',
  'The password is <your-password-1>',
  'The token is 40 characters, the secret is 32 bytes',
  'The token is the 2nd column. The code is abc123def456.',
  'The end token is 50256000',
  'The token for CI is GITHUB_TOKEN',
  'The token for CI is kept for 90 days',
  'The secret of good tests is that they fail',
  'The access key is Ctrl+Shift+K',
  'Encryption keys are rotated every 30 days',
  'passwords are at least 12 characters long',
  'Bearer authentication is used; the header is Authorization: Bearer <token>',
  'It sends `Bearer ${' + 'OAUTH2_ACCESS_TOKEN}`',
  'the bearer of-this-letter-is-known-to-us',
  'pypi-publish-with-trusted-publishers-and-attestations',
  'do_v1_compatible, hvs.example, SG.small.group',
  'at 1732372000:the-first-of-them',
])('"%s" is accepted, since it has no secret', (text) => {
  expect(findSecret(text)).toBeUndefined();
});

test('text about secrets and long words are accepted', () => {
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
  'password is ',
  'password for a ',
  'password is a-',
  'password is a1-',
  'bearer ',
  'bearer a-',
  'pypi-',
  'SG.',
  'SG.a-',
  '-----BEGIN A ',
  'sk-',
  '-----',
  'Bearer ',
  'curl -u ',
  'login ',
  'cookie: a=',
  '"auth\\": ',
  ...['\\', '"', '\\"', ' ', '\n', 'a', '0', '=', ':', '/', '.', '-', '_'],
];

test.each(beginnings)('a quarter of a megabyte of "%s" is checked quickly', (beginning) => {
  const text = beginning.repeat(2 ** 18 / beginning.length);
  const since = performance.now();
  findSecret(text);
  removeSecrets(text);
  expect(performance.now() - since).toBeLessThan(10_000); // some hundred milliseconds; minutes where a pattern starts again at each place
});
