import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { refuseFolder } from '../../../client/mcp/refuse-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'longhaul-folders-'));
const [given, other] = ['given', 'other'].map((name) => join(root, name)) as [string, string];
mkdirSync(given);
mkdirSync(other);
symlinkSync(other, join(given, 'link'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each(['.', 'new', 'new/deeper', '..dots'])('a folder in what the person gave is allowed: %s', (path) => {
  expect(refuseFolder(join(given, path), [given])).toBeUndefined();
});

test.each([other, root, join(given, '..', 'other'), join(given, 'link'), join(given, 'link', 'new'), `${given}-not`])(
  'any other is refused, also behind a link: %s',
  (path) => {
    expect(refuseFolder(path, [given])).toContain(`It may be in ${given}.`);
  },
);

test('a relative path, or any if none was given, is refused', () => {
  expect(refuseFolder('new', [given])).toBe('Expected an absolute path as the folder, got "new".');
  expect(refuseFolder(given, [])).toContain('None was given to this server.');
});
