import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readPayloadKeys } from '../../config/payload-keys.ts';

const key = randomBytes(32).toString('base64');

test('keys are read in their order', () => {
  const keys = readPayloadKeys(` 2026-11:${key}, old:${key} `);
  expect(keys.map(({ id, key: bytes }) => [id, bytes.length])).toEqual([
    ['2026-11', 32],
    ['old', 32],
  ]);
  expect(readPayloadKeys(undefined)).toEqual([]);
});

test.each([
  [`one:${key}, one:${key}`, 'two keys with the id "one"'],
  [key, 'entry 1 is not'],
  [`one:${randomBytes(16).toString('base64')}`, 'the key "one" has 16 bytes'],
])('a list that cannot be used is refused without repeating it', (text, why) => {
  expect(() => readPayloadKeys(text)).toThrow(why);
  expect(() => readPayloadKeys(text)).not.toThrow(text.slice(-20));
});
