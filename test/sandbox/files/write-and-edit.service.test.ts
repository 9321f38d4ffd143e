import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDockerFiles } from '../../../sandbox/docker/files/docker-files.ts';
import { editFile } from '../../../sandbox/files/edit-file.ts';
import { writeFile } from '../../../sandbox/files/write-file.ts';
import type { CommandRequest, Sandbox } from '../../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn } from '../test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;
let calls = 0;
const id = () => `write-${++calls}`;

beforeAll(async () => {
  sandbox = await host.open({ limits: { workspaceBytes: 16 * 1024 ** 2 } });
});
afterAll(() => host.closeAll());

test('a file is created with its folders, and replaced with its permissions kept', async () => {
  expect(await writeFile(sandbox.files, { id: id(), path: 'new/deep/run.sh', content: '#!/bin/sh\necho é\n' })).toBe(
    'Created "new/deep/run.sh" (2 lines, 18 bytes).',
  );
  await runIn(sandbox, 'executable', 'chmod 750 new/deep/run.sh');
  expect(await writeFile(sandbox.files, { id: id(), path: 'new/deep/run.sh', content: '' })).toBe(
    'Replaced "new/deep/run.sh" (0 lines, 0 bytes).',
  );
  expect(await outputOf(sandbox, 'look-write', 'stat -c "%a %s" new/deep/run.sh; ls -A new/deep')).toBe(
    '750 0\nrun.sh',
  );
});

test('a write that does not fit leaves the file as it was', async () => {
  await writeFile(sandbox.files, { id: id(), path: 'kept.txt', content: 'kept\n' });
  await runIn(sandbox, 'fill', 'head -c 15000000 /dev/zero >filler');
  await expect(
    writeFile(sandbox.files, { id: id(), path: 'kept.txt', content: 'x'.repeat(3_000_000) }),
  ).rejects.toMatchObject({
    code: 'FileRefused',
    message: expect.stringMatching(/Could not write .*; it is unchanged.*No space left/s),
  });
  expect(await outputOf(sandbox, 'look-kept', 'rm filler; cat kept.txt; ls -A | grep -c longhaul')).toBe('kept\n0');
});

test('a folder, or a file where a folder should be, cannot be written', async () => {
  await expect(writeFile(sandbox.files, { id: id(), path: 'new', content: 'x' })).rejects.toThrow('is a folder');
  await expect(writeFile(sandbox.files, { id: id(), path: 'kept.txt/below', content: 'x' })).rejects.toThrow(
    'Could not write',
  );
});

test('an edit replaces one place and shows it', async () => {
  await writeFile(sandbox.files, { id: id(), path: 'edit.txt', content: 'one\ntwo\nthree\nfour\nfive\nsix\n' });
  expect(await editFile(sandbox.files, { id: id(), path: 'edit.txt', oldText: 'three\nfour', newText: '3\n4' })).toBe(
    'Edited "edit.txt" on line 3. It now reads:\n1\tone\n2\ttwo\n3\t3\n4\t4\n5\tfive\n6\tsix\n7\t',
  );
  expect(await outputOf(sandbox, 'look-edit', 'cat edit.txt')).toBe('one\ntwo\n3\n4\nfive\nsix');
});

test('text that is not there is met with what comes nearest', async () => {
  await writeFile(sandbox.files, {
    id: id(),
    path: 'near.ts',
    content: 'function a() {\n    return 1;\n}\n\nfunction b() {\n    return 2;\n}\n',
  });
  const edit = (oldText: string) => editFile(sandbox.files, { id: id(), path: 'near.ts', oldText, newText: 'x' });
  await expect(edit('function a() {\n  return 1;\n}')).rejects.toThrow(
    'The old text is not in "near.ts" as given: its whitespace differs from lines 1 to 3, which read:\n1\tfunction a() {\n2\t    return 1;\n3\t}',
  );
  await expect(edit('function b() {\n    return 3;')).rejects.toThrow(
    'It matches from line 5 on, but line 6 differs:\n5\tfunction b() {\n6\t    return 2;',
  );
  await expect(edit('nothing like it')).rejects.toThrow('and neither is its first line. Read the file again.');
  await expect(edit('')).rejects.toThrow('Expected the old text to replace, got an empty one');
  await expect(edit('x')).rejects.toThrow('are the same');
});

test('a text that occurs several times is refused with its lines, or replaced everywhere on request', async () => {
  await writeFile(sandbox.files, { id: id(), path: 'many.txt', content: 'a\nb\na\nb a\n' });
  const edit = { path: 'many.txt', oldText: 'a', newText: 'aa' };
  await expect(editFile(sandbox.files, { id: id(), ...edit })).rejects.toThrow('3 times, on lines 1, 3, 4.');
  expect(await editFile(sandbox.files, { id: id(), ...edit, replaceAll: true })).toBe(
    'Replaced 3 occurrences in "many.txt".',
  );
  expect(await outputOf(sandbox, 'look-many', 'cat many.txt')).toBe('aa\nb\naa\nb aa');
});

test('a file with CRLF is edited with LF and keeps its line ends', async () => {
  await runIn(sandbox, 'crlf', "printf 'one\\r\\ntwo\\r\\nthree\\r\\n' >crlf.txt");
  await editFile(sandbox.files, { id: id(), path: 'crlf.txt', oldText: 'one\ntwo\n', newText: '1\n2\n' });
  expect(await outputOf(sandbox, 'look-crlf', 'od -An -c crlf.txt | tr -d " \\n"')).toBe('1\\r\\n2\\r\\nthree\\r\\n');
});

test('bytes that are no UTF-8 survive an edit elsewhere in the file', async () => {
  await runIn(sandbox, 'latin1', "printf 'caf\\351\\nname\\n' >latin1.txt");
  await editFile(sandbox.files, { id: id(), path: 'latin1.txt', oldText: 'name', newText: 'nom' });
  expect(await outputOf(sandbox, 'look-latin1', 'od -An -c latin1.txt | tr -d " \\n"')).toBe('caf351\\nnom\\n');
});

test('a megabyte arrives whole, and can be edited', async () => {
  await writeFile(sandbox.files, { id: id(), path: 'big.txt', content: `${'é\n'.repeat(400_000)}the end\n` });
  await editFile(sandbox.files, { id: id(), path: 'big.txt', oldText: 'the end', newText: 'THE END' });
  expect(await outputOf(sandbox, 'look-big', 'tail -n 1 big.txt; wc -l -c <big.txt')).toMatch(
    /^THE END\n *400001 +1200008$/,
  );
});

test('an edit interrupted after it was applied is recognised', async () => {
  await writeFile(sandbox.files, { id: id(), path: 'interrupted.txt', content: 'count\n' });
  const edit = { id: id(), path: 'interrupted.txt', oldText: 'count', newText: 'count count' };
  // The first attempt is applied, but its sandbox stops before the result is recorded.
  const stopping = createDockerFiles({
    readLog: sandbox.readLog,
    run: async (request: CommandRequest) => {
      const result = await sandbox.run(request);
      return request.id === edit.id ? { ...result, outcome: 'interrupted' as const, exitCode: null } : result;
    },
  });
  expect(await editFile(stopping, edit)).toMatch('Edited "interrupted.txt"');
  expect(await outputOf(sandbox, 'look-interrupted', 'cat interrupted.txt')).toBe('count count');
});

test('a file changed between reading and replacing is not overwritten', async () => {
  await writeFile(sandbox.files, { id: id(), path: 'race.txt', content: 'old\n' });
  const edit = { id: id(), path: 'race.txt', oldText: 'old', newText: 'new' };
  const racing = createDockerFiles({
    readLog: sandbox.readLog,
    run: async (request: CommandRequest) => {
      const result = await sandbox.run(request);
      if (request.id.endsWith('.read')) await runIn(sandbox, 'racer', 'echo other >race.txt');
      return result;
    },
  });
  await expect(editFile(racing, edit)).rejects.toThrow('changed during the edit');
  expect(await outputOf(sandbox, 'look-race', 'cat race.txt')).toBe('other');
});
