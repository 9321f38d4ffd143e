import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDockerFiles } from '../../../sandbox/docker/files/docker-files.ts';
import { listFiles } from '../../../sandbox/files/list-files.ts';
import { searchFiles } from '../../../sandbox/files/search-files.ts';
import type { CommandRequest, Sandbox } from '../../../sandbox/sandbox.ts';
import type { SandboxFiles } from '../../../sandbox/sandbox-files.ts';
import { createTestSandboxes, runIn } from '../test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;
let calls = 0;
const id = () => `find-${++calls}`;

beforeAll(async () => {
  sandbox = await host.open();
  await runIn(
    sandbox,
    'files',
    `git init -q; mkdir -p src/lib/deep/deeper node_modules/x empty many; echo 'const Needle = 1;' >src/a.ts; echo 'needle -- two' >src/lib/b.js
    echo deep >src/lib/deep/deeper/c.txt; echo Needle >node_modules/x/index.js; ln -s src link; printf 'node_modules\\n' >.gitignore
    printf 'Needle\\0binary' >src/data.bin; for i in $(seq 600); do echo "line $i" >many/$i.txt; done`,
  );
});
afterAll(() => host.closeAll());

test('a listing shows folders, sizes and links, without .git and node_modules', async () => {
  await runIn(sandbox, 'hide', 'mv many ~/many');
  expect(await listFiles(sandbox.files, { id: id() })).toBe(
    [
      '.gitignore (13 bytes)',
      'empty/',
      'link -> src',
      'node_modules/ (not listed)',
      'src/',
      'src/a.ts (18 bytes)',
      'src/data.bin (13 bytes)',
      'src/lib/',
      'src/lib/b.js (14 bytes)',
      'src/lib/deep/',
    ].join('\n'),
  );
  await runIn(sandbox, 'show', 'mv ~/many many');
  expect(await listFiles(sandbox.files, { id: id(), path: 'src/lib', depth: 1 })).toBe('b.js (14 bytes)\ndeep/');
  expect(await listFiles(sandbox.files, { id: id(), path: 'empty' })).toBe('"empty" is empty.');
});

test('a listing of more than can be shown says so', async () => {
  const lines = (await listFiles(sandbox.files, { id: id(), path: 'many' })).split('\n');
  expect(lines).toHaveLength(501);
  expect(lines.at(-1)).toBe('(Only the first 500 entries are shown. Use a narrower path or less depth.)');
});

test('a listing of a file or of nothing says what to do', async () => {
  await expect(listFiles(sandbox.files, { id: id(), path: 'src/a.ts' })).rejects.toThrow(
    'is a file, not a folder. Use read_file.',
  );
  await expect(listFiles(sandbox.files, { id: id(), path: 'sources' })).rejects.toThrow('There is no "sources".');
});

const withoutRipgrep = (): SandboxFiles =>
  createDockerFiles({
    readLog: sandbox.readLog,
    run: (request: CommandRequest) => sandbox.run({ ...request, script: `command() { return 1; }\n${request.script}` }),
  });

test.each([
  ['ripgrep', () => sandbox.files],
  ['grep alone', withoutRipgrep],
])('a search with %s finds lines of text files, narrowed by path, glob and number', async (_what, tool) => {
  expect(await searchFiles(tool(), { id: id(), pattern: '[Nn]eedle\\b.*(1|two)' })).toBe(
    'src/a.ts:1:const Needle = 1;\nsrc/lib/b.js:1:needle -- two',
  );
  expect(await searchFiles(tool(), { id: id(), pattern: '[Nn]eedle', glob: '*.js', path: 'src' })).toBe(
    'src/lib/b.js:1:needle -- two',
  );
  expect(await searchFiles(tool(), { id: id(), pattern: '-- two', path: 'src/lib/b.js' })).toBe(
    'src/lib/b.js:1:needle -- two',
  );
  expect(await searchFiles(tool(), { id: id(), pattern: 'absent', glob: '*.md' })).toBe(
    'Nothing matches "absent" in "." (files *.md).',
  );
  const many = (await searchFiles(tool(), { id: id(), pattern: '^line', maxResults: 10 })).split('\n');
  expect(many).toHaveLength(11);
  expect(many.at(-1)).toMatch('Only the first 10 lines are shown.');
  await expect(searchFiles(tool(), { id: id(), pattern: 'a(b' })).rejects.toThrow('The pattern is invalid');
});
