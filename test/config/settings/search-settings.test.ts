import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../../config/configuration.ts';

const read = (environment: Record<string, string>) => readConfiguration(environment).agents.search;

test('no search engine is asked without the setting, even with a key', () => {
  expect(read({})).toBeUndefined();
  expect(read({ BRAVE_API_KEY: 'k' })).toBeUndefined();
});

test('an address means SearXNG, and brave needs its key', () => {
  expect(read({ LONGHAUL_SEARCH: 'http://127.0.0.1:8888' })).toEqual({
    provider: 'searxng',
    address: 'http://127.0.0.1:8888',
  });
  expect(read({ LONGHAUL_SEARCH: 'brave', BRAVE_API_KEY: 'k' })).toEqual({ provider: 'brave', key: 'k' });
  expect(() => read({ LONGHAUL_SEARCH: 'brave' })).toThrow('Expected BRAVE_API_KEY');
  expect(() => read({ LONGHAUL_SEARCH: 'google' })).toThrow('or "brave"; got "google"');
});
