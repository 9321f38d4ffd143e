import { expect, test } from '@jest/globals';
import { holdSecrets, scrub } from '../../domain/secrets/scrub.ts';
import { preview } from '../../domain/storable-text.ts';

const held = 'correct.horse+battery7staple/Q=';
const bytes = Buffer.from(held);
holdSecrets([held]);

test.each([
  held,
  JSON.stringify(held),
  encodeURIComponent(held),
  bytes.toString('hex'),
  bytes.toString('hex').toUpperCase(),
  bytes.toString('base64'),
  bytes.toString('base64url'),
  ...['a', 'ab', 'abc'].map((before) => Buffer.from(`${before}${held} after`).toString('base64')),
])('a secret of this process is removed as %s', (form) => {
  const middle = form.slice(8, -16);
  expect(scrub(`x ${form} y`)).not.toContain(middle);
  expect(preview(`x ${form} y`)).not.toContain(middle);
});

/** Made up, and put together here so that no scanner takes them for real ones. */
const r = 'a1B2c3D4e5F6g7H8i9J0';
const hex = '0123456789abcdef';
const login = Buffer.from('u:hunter2hunter2').toString('base64');
const secrets = {
  'an address of Slack': `https://hooks.slack.com/services/T0/B0/${r}`,
  'an address of Discord': `https://discord.com/api/webhooks/1/${r}${r}`,
  'a password without a user': 'redis://:hunter2hunter2@h:6379',
  'a login by HTTP': `Authorization: Basic ${login}`,
  'a cookie': `Set-Cookie: session=${r}`,
  'a password on a line': '--password hunter2hunter2',
  'a token on a line': `--api-token ${r}`,
  'a login of curl': 'curl -s -u admin:hunter2hunter2 https://x',
  'a password of mysql': 'mysql -u me -phunter2hunter2',
  'a password of sshpass': 'sshpass -p hunter2 ssh h',
  'a login of netrc': 'machine h login u password hunter2',
  'a login of npm': `_auth=${login}`,
  'a login of Docker': `{"auth": "${login}"}`,
  'a key of Azure': `AccountKey=${r}${r}==`,
  'a signed address': `https://x/?sv=2020&sig=${r}%3D`,
  'a key of Kubernetes': `client-key-data: ${r}${r}`,
  'a hash of a password': `root:$6$abc$${r}${r}:19000`,
  'a key of age': `AGE-SECRET-KEY-1${'QPZRY9X8'.repeat(8)}`,
  'keys of payloads': `LONGHAUL_PAYLOAD_KEYS=a:${r}${r}`,
  ...Object.fromEntries(
    [
      'dp.pt.',
      'lin_api_',
      'shpat_',
      'sq0atp-',
      'r8_',
      'pplx-',
      'glcbt-64_',
      'gldt-',
      'ATBB',
      'ATATT3x',
      'glsa_',
      'sntrys_',
      'figd_',
      'ntn_',
      'sbp_',
      'pscale_tkn_',
      'NRAK-',
    ].map((prefix) => [`a token with ${prefix}`, `${prefix}${r}${r}`]),
  ),
  ...Object.fromEntries(
    ['dapi', 'pul-', 'SK', 'key-'].map((prefix) => [`a token with ${prefix}`, `${prefix}${hex}${hex}`]),
  ),
  'a token of Terraform': `${r.slice(0, 14)}.atlasv1.${r}${r}`,
  'a token of Airtable': `pat${r.slice(0, 14)}.${hex}${hex}`,
};

test.each(Object.entries(secrets))('%s is removed', (_name, secret) => {
  for (const text of [secret, `said: ${secret}\n`, JSON.stringify({ text: `x\n${secret}` })]) {
    expect(scrub(text)).not.toMatch(new RegExp(`${r}|hunter2|${hex}|QPZRY9X8Q|${login}`));
    expect(preview(text)).not.toMatch(new RegExp(`${r}|hunter2|${hex}|QPZRY9X8Q|${login}`));
  }
});
