import { expect, test } from '@jest/globals';
import { describeNetwork } from '../../../domain/network/describe-network.ts';

test('agents are told what they reach, how, and what happens to the rest', () => {
  expect(describeNetwork('none')).toBe('There is no network.');
  expect(describeNetwork('all')).toMatch(/public internet .*HTTP_PROXY/);
  expect(describeNetwork('packages')).toMatch(/Only these hosts .*: the package registries \(npm, PyPI, .*status 403/);
  expect(describeNetwork(['packages', 'api.example.com'])).toMatch(/Alpine\), api\.example\.com\. /);
});
