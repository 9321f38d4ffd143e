import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commonStart, complete } from '../../../../cli/chat/input/complete.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-complete-'));
  mkdirSync(join(folder, 'source', 'deep'), { recursive: true });
  for (const name of ['README.md', 'read me.md', '.env', 'source/start.ts']) writeFileSync(join(folder, name), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const commands = ['show', 'sessions', 'help'];
const namesFor = (command: string) => (command === 'sessions' ? Promise.resolve(['garden', 'my trip']) : undefined);

test.each([
  ['/s', '/s', ['/sessions ', '/show ']],
  ['/sessions g', 'g', ['garden']],
  ['/sessions my t', 'my t', ['my trip']],
  ['/help x', 'x', []],
  ['s', '', []],
  ['Look at @', '@', ['@README.md ', '@source/']],
  ['Look at @source/', '@source/', ['@source/deep/', '@source/start.ts ']],
  ['Look at @.e', '@.e', ['@.env ']],
  ['/now @RE', '@RE', ['@README.md ']],
  ['mail@RE', '', []],
  ['@nowhere/', '@nowhere/', []],
])('%j completes to what fits', async (line, word, hits) => {
  expect(await complete(line, { commands, namesFor, folder })).toEqual({ word, hits });
});

test('several candidates are completed as far as they agree', () => {
  expect(commonStart(['/sessions ', '/show '])).toBe('/s');
  expect(commonStart([])).toBe('');
});
