import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readToken } from '../../../client/mcp/token-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-token-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a token is made once, long enough, for its owner alone', async () => {
  const file = join(folder, 'home', 'mcp-token');
  const first = await readToken(file);
  expect(first).toEqual({ isNew: true, token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await readToken(file)).toEqual({ isNew: false, token: first.token });
  expect(readFileSync(file, 'utf8')).toBe(`${first.token}\n`);
});

test('a file without a usable token is refused rather than served with', async () => {
  const file = join(folder, 'short');
  writeFileSync(file, 'secret\n');
  await expect(readToken(file)).rejects.toThrow(
    `Expected a token of at least 20 characters in ${file}. Remove the file, and a new token is made.`,
  );
});
