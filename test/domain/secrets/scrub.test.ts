import { expect, test } from '@jest/globals';
import { holdSecrets, scrub, scrubAll, secretsOf } from '../../../domain/secrets/scrub.ts';
import { preview } from '../../../domain/storable-text.ts';

/** Made up; a form that no pattern knows. */
const held = 'correct.horse+battery7staple';

test('a secret that this process holds is removed, whatever it looks like', () => {
  const text = `it says ${held}!`;
  expect(scrub(text)).toBe(text);
  holdSecrets([held]);
  expect(scrub(text)).toBe('it says [removed: a secret of this process]!');
});

test('what occurs in any text is not held', () => {
  holdSecrets(['none', 'scripted-model', '100000000', '/root/.ssh/id_rsa']);
  const text = 'none of scripted-model, 100000000, /root/.ssh/id_rsa';
  expect(scrub(text)).toBe(text);
});

test('the secrets of an environment are known by name, and in addresses', () => {
  const environment = {
    OPENAI_API_KEY: 'one-key-1',
    LONGHAUL_PAYLOAD_KEYS: 'first:abc1, second:def2',
    DATABASE_URL: 'postgres://me:p%40ss7word@host/db',
    LONGHAUL_HOME: '/home/me',
    LONGHAUL_MODEL: 'openai/gpt-5',
  };
  const found = secretsOf(environment);
  expect(found).toEqual(expect.arrayContaining(['one-key-1', 'abc1', 'def2', 'p%40ss7word', 'p@ss7word']));
  expect(found).not.toEqual(expect.arrayContaining(['/home/me']));
  expect(found).not.toEqual(expect.arrayContaining(['openai/gpt-5']));
});

test('a preview does not show the beginning of a secret that it cuts off', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  holdSecrets([held]);
  for (const secret of [token, held]) {
    for (let before = 150; before < 200; before++) {
      const shown = preview(`${'x'.repeat(before - 1)} ${secret}`);
      expect(shown).not.toContain(secret.slice(0, 6));
    }
  }
});

test('data keeps its form', () => {
  const at = new Date(0);
  const data = { at, count: 3, none: null, list: [`token=${'a1b2'.repeat(3)}`, { text: 'plain' }] };
  expect(scrubAll(data)).toEqual({
    at,
    count: 3,
    none: null,
    list: ['[removed: a password or key that is named as one]', { text: 'plain' }],
  });
});

test('a secret is found within JSON, whatever stands before it', () => {
  const key = `sk-${'a1B2'.repeat(8)}`;
  const json = JSON.stringify({ text: `first\n${key}\npassword="hunter2hunter2"\n{"client_secret": "0a1b2c3d4e"}` });
  const scrubbed = scrub(JSON.stringify({ inner: json }));
  expect(scrubbed).not.toMatch(/a1B2|hunter2|0a1b2c/);
  expect(scrub(json)).not.toMatch(/a1B2|hunter2|0a1b2c/);
});

test('a text that only mentions how a private key begins stays readable after it', () => {
  expect(scrub(`grep -----BEGIN ${'PRIVATE KEY-----'} *.pem; echo done. Nothing else.`)).toContain('Nothing else.');
});
