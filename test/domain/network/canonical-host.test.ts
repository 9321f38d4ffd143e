import { expect, test } from '@jest/globals';
import { canonicalAuthority, canonicalHost } from '../../../domain/network/canonical-host.ts';

test.each([
  ['Evil.example', 'evil.example'],
  ['evil.example..', 'evil.example'],
  ['0x01020304', '1.2.3.4'],
  ['16909060', '1.2.3.4'],
  ['0001.2.3.4.', '1.2.3.4'],
  ['2606:4700:0::1', '[2606:4700::1]'],
  ['[2606:4700:0:0::1]', '[2606:4700::1]'],
  ['[::ffff:1.2.3.4]', '1.2.3.4'],
  ['*.Evil.example', '*.evil.example'],
  ['*', '*'],
  ['a/b@c', 'a/b@c'],
])('the host %s is written as %s', (text, host) => {
  expect(canonicalHost(text)).toBe(host);
});

test.each([
  ['evil.example..:443', 'evil.example:443'],
  ['2606:4700:0::1', '[2606:4700::1]'],
  ['[2606:4700:0::1]:443', '[2606:4700::1]:443'],
  ['*:8443', '*:8443'],
])('%s is written as %s', (text, authority) => {
  expect(canonicalAuthority(text)).toBe(authority);
});
