import { expect, test } from '@jest/globals';
import { searchFiles } from '../../../sandbox/files/search-files.ts';
import type { SandboxFiles } from '../../../sandbox/sandbox-files.ts';

/** Searches a workspace in which these lines are found, where .env must not be read. */
function search(lines: string[]): Promise<string> {
  const files = { search: async () => ({ lines: [...lines], more: false }) } as Partial<SandboxFiles> as SandboxFiles;
  return searchFiles(files, { id: 'a', pattern: 'P', mayRead: (path) => path !== '.env' && path !== 'a:1:b' });
}

test('lines of files that must not be read are left out, which the agent is told', async () => {
  const note = '(Lines of files that rules keep from you are left out.)';
  expect(await search(['.env:1:P=x', 'a.ts:1:P'])).toBe(`a.ts:1:P\n${note}`);
  expect(await search(['.env:1:P=x', '.env:2:P:3:y', 'a:1:b:2:P'])).toBe(note);
  expect(await search(['a.ts:1:P', 'b.ts:2:P'])).toBe('a.ts:1:P\nb.ts:2:P');
});
