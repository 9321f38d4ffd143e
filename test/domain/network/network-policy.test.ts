import { expect, test } from '@jest/globals';
import {
  formatNetworkPolicy,
  isNetworkPolicy,
  type NetworkPolicy,
  parseNetworkPolicy,
  refuseHost,
} from '../../../domain/network/network-policy.ts';

test.each<[string, NetworkPolicy]>([
  ['none', 'none'],
  ['packages', 'packages'],
  ['ALL', 'all'],
  ['api.example.com', ['api.example.com']],
  ['API.example.com, *.example.org,example.net:8443', ['api.example.com', '*.example.org', 'example.net:8443']],
  ['packages,api.example.com', ['packages', 'api.example.com']],
  ['10.0.0.1:8080,[fd00::1]', ['10.0.0.1:8080', '[fd00::1]']],
])('%s is read and written', (text, policy) => {
  expect(parseNetworkPolicy(text)).toEqual(policy);
  expect(parseNetworkPolicy(formatNetworkPolicy(policy))).toEqual(policy);
});

test.each([
  '',
  ',',
  'none,api.example.com',
  'all,example.com',
  'https://example.com',
  'example.com/path',
  'a b',
  'pakages',
  'localhost',
  '*',
  '*.',
  '*.com',
  'a.*.b',
  'a:b',
  'a:0',
  'fd00::1',
])('"%s" is no policy', (text) => {
  expect(parseNetworkPolicy(text)).toBeUndefined();
  expect(isNetworkPolicy([text])).toBe(false);
});

test.each([true, false, null, undefined, 3, [], ['a', 3], 'something'])('%p is no policy', (value) => {
  expect(isNetworkPolicy(value)).toBe(false);
});

test.each<[NetworkPolicy, string, number]>([
  ['all', 'anything.example', 22],
  ['packages', 'registry.npmjs.org', 443],
  ['packages', 'PyPI.org.', 443],
  ['packages', 'deb.debian.org', 80],
  ['packages', 'npm.company.example', 8443],
  [['packages', 'api.example.com'], 'pypi.org', 443],
  [['packages', 'api.example.com'], 'api.example.com', 443],
  [['*.example.com'], 'a.b.example.com', 443],
  [['example.com:8443'], 'example.com', 8443],
])('%p allows %s:%i', (policy, host, port) => {
  expect(refuseHost(policy, { host, port }, ['npm.company.example:8443'])).toBeUndefined();
});

test.each<[NetworkPolicy, string, number]>([
  ['none', 'registry.npmjs.org', 443],
  ['packages', 'example.com', 443],
  ['packages', 'github.com', 443],
  ['packages', 'registry.npmjs.org', 22],
  ['packages', 'registry.npmjs.org.example.com', 443],
  ['packages', 'xregistry.npmjs.org', 443],
  ['packages', 'registryxnpmjs.org', 443],
  ['packages', 'npm.company.example', 443],
  [['*.example.com'], 'example.com', 443],
  [['*.example.com'], 'evilexample.com', 443],
  [['example.com:8443'], 'example.com', 443],
  [['example.com'], 'example.com', 8443],
])('%p refuses %s:%i', (policy, host, port) => {
  expect(refuseHost(policy, { host, port }, ['npm.company.example:8443'])).toBe(
    `network policy "${formatNetworkPolicy(policy)}" does not allow ${host}:${port}`,
  );
});

test('an address that a policy names is reached however it is written', () => {
  expect(refuseHost(['[2606:4700:0::1]'], { host: '[2606:4700::1]', port: 443 })).toBeUndefined();
});
