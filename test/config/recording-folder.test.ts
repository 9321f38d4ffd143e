import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../config/configuration.ts';

const folderFor = (value: string) =>
  readConfiguration({ LONGHAUL_HOME: '/data', LONGHAUL_RECORD: value }).model.recordTo;

test('exchanges would be recorded unasked, or not where they are looked for', () => {
  expect(['', '0', '1', '/tmp/mine'].map(folderFor)).toEqual([undefined, undefined, '/data/recordings', '/tmp/mine']);
});

test('a word that was meant to turn it on would make a folder of that name', () => {
  expect(() => folderFor('yes')).toThrow(
    'LONGHAUL_RECORD: expected 1, 0 or the path of a folder, such as ./recordings, got "yes"',
  );
});
