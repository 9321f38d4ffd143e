import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../config/configuration.ts';

const folderFor = (value: string) =>
  readConfiguration({ LONGHAUL_HOME: '/data', LONGHAUL_RECORD: value }).model.recordTo;

test('exchanges would be recorded unasked, or not where they are looked for', () => {
  expect(['', '0', '1', '/tmp/mine'].map(folderFor)).toEqual([undefined, undefined, '/data/recordings', '/tmp/mine']);
});

test('a folder would be looked for in the working directory of the workers', () => {
  expect(() => folderFor('recordings')).toThrow(
    'LONGHAUL_RECORD: expected 1, 0 or the absolute path of a folder, got "recordings"',
  );
});
