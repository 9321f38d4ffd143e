import assert from 'node:assert/strict';
import { editFile } from '../../sandbox/files/edit-file.ts';
import { listFiles } from '../../sandbox/files/list-files.ts';
import { searchFiles } from '../../sandbox/files/search-files.ts';
import { open, rule, type SandboxContractCase } from './contract-case.ts';

/** How files are read, written and refused. */
export const fileCases: SandboxContractCase[] = [
  rule('files are written, read, listed, searched, and edited once', async (host) => {
    const { files } = await open(host);
    assert.deepEqual(await files.write({ id: 'w1', path: 'src/one.ts', content: 'a\nneedle 1\nc\n' }), {
      created: true,
    });
    assert.deepEqual(await files.write({ id: 'w2', path: '/workspace/src/two.js', content: 'needle 2' }), {
      created: true,
    });
    assert.deepEqual(await files.write({ id: 'w3', path: 'src/two.js', content: 'needle 3' }), { created: false });
    assert.deepEqual(await files.write({ id: 'w1', path: 'src/one.ts', content: 'other' }), { created: true });
    await files.write({ id: 'w4', path: 'node_modules/x/index.js', content: '' });
    const lines = await files.readLines({ id: 'r', path: 'src/one.ts', offset: 2, limit: 1, maxBytes: 1000 });
    assert.deepEqual(lines, { size: 13, lineCount: 3, text: 'needle 1\n', cutOff: false });
    assert.equal(
      await listFiles(files, { id: 'l' }),
      'node_modules/ (not listed)\nsrc/\nsrc/one.ts (13 bytes)\nsrc/two.js (8 bytes)',
    );
    assert.equal(await listFiles(files, { id: 'l2', depth: 1 }), 'node_modules/ (not listed)\nsrc/');
    assert.equal(
      await searchFiles(files, { id: 's', pattern: 'needle [0-9]', path: 'src' }),
      'src/one.ts:2:needle 1\nsrc/two.js:1:needle 3',
    );
    assert.equal(await searchFiles(files, { id: 's2', pattern: 'needle', glob: '*.ts' }), 'src/one.ts:2:needle 1');
    await assert.rejects(searchFiles(files, { id: 's3', pattern: '(' }), /The pattern is invalid/);
    // However often the edit is retried.
    await files.write({ id: 'w5', path: 'a.txt', content: 'one\ntwo\n' });
    const edit = { id: 'e', path: 'a.txt', oldText: 'one', newText: 'one and one' };
    const summary = await editFile(files, edit);
    assert.equal(await editFile(files, edit), summary);
    assert.equal((await files.read({ id: 'r2', path: 'a.txt', maxBytes: 100 })).toString(), 'one and one\ntwo\n');
  }),

  rule('a path that cannot be used is refused', async (host) => {
    const { files } = await open(host);
    await files.write({ id: 'w', path: 'folder/a.bin', content: 'a\0b' });
    const read = (path: string) =>
      files.readLines({ id: `r-${path.replaceAll('/', '-')}`, path, offset: 1, limit: 1, maxBytes: 10 });
    await assert.rejects(read('../etc/passwd'), /leads out of the workspace/);
    await assert.rejects(read('/etc/passwd'), /leads out of the workspace, to \/etc\/passwd/);
    await assert.rejects(read('folder'), /is a folder\. Use list_files/);
    await assert.rejects(read('folder/a.bin'), /is a binary file of 3 bytes/);
    await assert.rejects(
      read('a.bin'),
      /There is no "a\.bin"\. A file with that name is at "folder\/a\.bin"\. The folder "\." contains: folder\./,
    );
    await assert.rejects(listFiles(files, { id: 'l', path: 'folder/a.bin' }), /is a file, not a folder/);
    await assert.rejects(files.write({ id: 'w2', path: 'folder', content: '' }), /is a folder/);
  }),
];
