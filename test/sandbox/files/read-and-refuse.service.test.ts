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

beforeAll(async () => {
  sandbox = await host.open();
  await runIn(
    sandbox,
    'files',
    `mkdir -p src/lib; printf 'one\\ntwo é\\nthree' >src/a.txt; : >empty; printf 'a\\r\\nb\\r\\n' >crlf.txt
    seq 5000 >long.txt; head -c 100000 /dev/zero | tr '\\0' x >wide.txt; printf 'PNG\\0\\1' >image.png; head -c 1000000 /dev/zero >zeros
    mkfifo pipe; ln -s loop loop; echo secret >unreadable; chmod 000 unreadable; printf 'caf\\351\\n' >latin1.txt
    ln -s /etc outside; ln -s ~/target link-to-file; echo mine >~/target; mkdir inner; ln -s ../inner/real inner/link; echo real >inner/real`,
  );
});
afterAll(() => host.closeAll());

const id = () => `call-${++calls}`;
const read = (path: string, more: { offset?: number; limit?: number } = {}) =>
  readFile(sandbox.files, { id: id(), path, ...more });

test('lines are numbered, whatever way the path is written', async () => {
  expect(await read('src/a.txt')).toBe('1\tone\n2\ttwo é\n3\tthree');
  expect(await read('/workspace/src/lib/../a.txt')).toBe('1\tone\n2\ttwo é\n3\tthree');
});

test('a part of a long file says where it continues', async () => {
  expect(await read('long.txt', { offset: 4998, limit: 2 })).toBe(
    '4998\t4998\n4999\t4999\n(Lines 4998 to 4999 of 5000; continue with offset 5000.)',
  );
  expect(await read('long.txt', { offset: 4999 })).toBe('4999\t4999\n5000\t5000');
  await expect(read('long.txt', { offset: 5001 })).rejects.toThrow(
    '"long.txt" has 5000 lines; line 5001 is beyond its end.',
  );
});

test('a file with more bytes than can be shown ends at a whole line', async () => {
  await runIn(sandbox, 'heavy', 'for i in $(seq 1000); do printf "%0100d\\n" $i; done >heavy.txt');
  const text = await read('heavy.txt');
  expect(text).toMatch(/\(Lines 1 to 237 of 1000; continue with offset 238\.\)$/);
  expect(await read('heavy.txt', { offset: 238, limit: 1 })).toContain('0238');
});

test('one endless line is cut and said to be', async () => {
  const text = await read('wide.txt');
  expect(text.length).toBeLessThan(25_000);
  expect(text).toMatch(/\(Line 1 is too long to show; read the rest with run_command\.\)$/);
});

test('empty, CRLF and Latin-1 files are shown for what they are', async () => {
  expect(await read('empty')).toBe('"empty" is empty.');
  expect(await read('crlf.txt')).toBe('1\ta\n2\tb\n(Lines end in CRLF.)');
  expect(await read('latin1.txt')).toBe('1\tcaf\uFFFD');
});

test.each([
  ['image.png', 'is a binary file of 5 bytes'],
  ['zeros', 'is a binary file of 1000000 bytes'],
  ['src', 'is a folder. Use list_files'],
  ['pipe', 'is neither a file nor a folder'],
  ['loop', 'There is no "loop".|a loop of symbolic links'],
  ['unreadable', 'permissions'],
])('%s cannot be read, and the message says why', async (path, message) => {
  await expect(read(path)).rejects.toMatchObject({ code: 'FileRefused', message: expect.stringMatching(message) });
});

test('the error for a missing file names similar ones', async () => {
  await expect(read('src/lib/A.txt')).rejects.toThrow(
    'There is no "src/lib/A.txt". A file with that name is at "src/a.txt". The folder "src/lib" is empty.',
  );
  await expect(read('src/none/deep.txt')).rejects.toThrow(
    'There is no "src/none/deep.txt". The folder "src" contains: a.txt, lib.',
  );
});

const refused = { code: 'FileRefused', message: expect.stringContaining('leads out of the workspace') };

test.each(['/etc/passwd', 'outside/passwd', '/workspace/../etc/passwd', '/workspace-other'])(
  '%s leads out of the workspace and is refused',
  async (path) => {
    await expect(read(path)).rejects.toMatchObject(refused);
  },
);

test('a path or link out of the workspace is refused by every file tool, and not touched', async () => {
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
