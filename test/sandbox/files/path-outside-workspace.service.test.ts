import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { editFile } from '../../../sandbox/files/edit-file.ts';
import { listFiles } from '../../../sandbox/files/list-files.ts';
import { readFile } from '../../../sandbox/files/read-file.ts';
import { searchFiles } from '../../../sandbox/files/search-files.ts';
import { writeFile } from '../../../sandbox/files/write-file.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn } from '../test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;
let calls = 0;
const id = () => `escape-${++calls}`;

beforeAll(async () => {
  sandbox = await host.open();
  await runIn(
    sandbox,
    'links',
    'ln -s /etc outside; ln -s ~/target link-to-file; echo mine >~/target; mkdir inner; ln -s ../inner/real inner/link; echo real >inner/real',
  );
});
afterAll(() => host.closeAll());

const refused = { code: 'FileRefused', message: expect.stringContaining('leads out of the workspace') };

test.each(['/etc/passwd', '../etc/passwd', 'outside/passwd', '/workspace/../etc/passwd', '/workspace-other'])(
  '%s leads out of the workspace and is refused',
  async (path) => {
    await expect(readFile(sandbox.files, { id: id(), path })).rejects.toMatchObject(refused);
  },
);

test('a path or link out of the workspace is refused by every file tool', async () => {
  for (const path of ['link-to-file', '../home/agent/target']) {
    const calls = [
      readFile(sandbox.files, { id: id(), path }),
      writeFile(sandbox.files, { id: id(), path, content: 'x' }),
      editFile(sandbox.files, { id: id(), path, oldText: 'mine', newText: 'x' }),
      listFiles(sandbox.files, { id: id(), path }),
      searchFiles(sandbox.files, { id: id(), path, pattern: 'x' }),
    ];
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: refused });
  }
});

test('what was refused was not touched', async () => {
  expect(await outputOf(sandbox, 'look', 'cat ~/target')).toBe('mine');
});

test('a link that stays inside works, and writing through it keeps the link', async () => {
  expect(await readFile(sandbox.files, { id: id(), path: 'inner/link' })).toBe('1\treal');
  await writeFile(sandbox.files, { id: id(), path: 'inner/link', content: 'changed\n' });
  expect(await outputOf(sandbox, 'look-link', 'readlink inner/link; cat inner/real')).toBe('../inner/real\nchanged');
});

test('a path with characters of the shell is only a path', async () => {
  const path = `$(touch hacked); "a' b`;
  await writeFile(sandbox.files, { id: id(), path, content: 'odd\n' });
  expect(await readFile(sandbox.files, { id: id(), path })).toBe('1\todd');
  expect(await outputOf(sandbox, 'look-odd', 'ls hacked 2>&1 | grep -c "No such"')).toBe('1');
});
