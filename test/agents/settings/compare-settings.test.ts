import { expect, test } from '@jest/globals';
import { compareSettings } from '../../../agents/settings/compare-settings.ts';

const settingsOf = (values: Record<string, string | null>) =>
  Object.entries(values).map(([name, value]) => ({ name, value, source: 'environment' as const }));

test('settings that only one side has, or that differ, are differences', () => {
  const worker = settingsOf({ LONGHAUL_MODEL: 'openai/one', OPENAI_BASE_URL: null, 'chat.tokens': '5' });
  const here = settingsOf({ LONGHAUL_MODEL: 'openai/two', OPENAI_BASE_URL: null });
  expect(compareSettings(worker, here, { scripted: false })).toEqual([
    { name: 'LONGHAUL_MODEL', worker: 'openai/one', here: 'openai/two' },
    { name: 'chat.tokens', worker: '5', here: null },
  ]);
});

test('what a stack sets for its workers is no difference', () => {
  const worker = settingsOf({
    DATABASE_URL: 'postgres://here',
    TEMPORAL_ADDRESS: 'here:1',
    LONGHAUL_MODEL: 'scripted',
    OPENAI_BASE_URL: 'http://here',
    'models.chat': 'openai/scripted',
  });
  expect(compareSettings(worker, settingsOf({ 'models.chat': 'scripted' }), { scripted: true })).toEqual([]);
  expect(compareSettings(worker, [], { scripted: false }).map(({ name }) => name)).toEqual([
    'LONGHAUL_MODEL',
    'OPENAI_BASE_URL',
    'models.chat',
  ]);
});
