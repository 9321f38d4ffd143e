import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { WorkspaceFile } from '../../domain/chat/files.ts';
import { open, rule, type SandboxContractCase } from './contract-case.ts';

const file = (path: string, text: string, executable = false): WorkspaceFile => ({
  ...{ path, executable },
  content: Buffer.from(text),
});
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** How files are copied in and out. */
export const copyCases: SandboxContractCase[] = [
  rule('files of any content are placed and taken, and one that is not there is refused', async (host) => {
    const sandbox = await open(host);
    await sandbox.files.write({ id: 'w', path: 'own.txt', content: 'own' });
    await sandbox.placeFiles([file('deep/er/a.bin', 'a\0b\u0001', true), file('-x y.txt', 'x')]);
    const taken = await sandbox.takeFiles(['deep/er/a.bin', '-x y.txt', 'own.txt'], 1_000);
    assert.deepEqual(
      taken.map(({ path, executable, content }) => [path, executable, Buffer.from(content).toString()]),
      [
        ['deep/er/a.bin', true, 'a\0b\u0001'],
        ['-x y.txt', false, 'x'],
        ['own.txt', false, 'own'],
      ],
    );
    await assert.rejects(sandbox.takeFiles(['own.txt', 'gone.txt'], 1_000), /gone\.txt: there is no such file/);
    await assert.rejects(sandbox.takeFiles(['deep'], 1_000), /deep: it is a folder/);
    await assert.rejects(sandbox.takeFiles(['own.txt', 'deep/er/a.bin'], 6), /have 7 bytes, more than 6/);
    await assert.rejects(sandbox.placeFiles([file('deep', 'x')]), /The sandbox refused/);
  }),

  rule('a copy replaces the workspace, and what became of it is told', async (host) => {
    const sandbox = await open(host);
    await sandbox.placeFiles([file('before.txt', 'b'), file('.uploads/given.txt', 'g')]);
    assert.equal((await sandbox.lookAtFiles([], 100)).copy, undefined);
    const link: WorkspaceFile = { path: 'link', executable: false, content: Buffer.alloc(0), link: 'a.txt' };
    await sandbox.placeFiles([file('a.txt', 'a'), file('run.sh', 'r', true), file('gone.txt', 'x'), link], 'copy-1');
    assert.equal((await sandbox.takeFiles(['.uploads/given.txt'], 10)).length, 1);
    await sandbox.files.write({ id: 'w1', path: 'src/new.txt', content: 'n' });
    await sandbox.files.write({ id: 'w2', path: 'node_modules/x/y.js', content: 'y' });
    await sandbox.files.write({ id: 'w4', path: '.figures/call-1.png', content: 'p' });
    await sandbox.files.write({ id: 'w3', path: 'sub/.git/config', content: 'c' });
    const known = ['a.txt', 'run.sh', 'gone.txt', 'link', 'missing.txt'];
    assert.deepEqual(await sandbox.lookAtFiles(known, 100), {
      copy: 'copy-1',
      files: {
        'a.txt': { hash: hashOf('a'), executable: false },
        'gone.txt': { hash: hashOf('x'), executable: false },
        'run.sh': { hash: hashOf('r'), executable: true },
        'src/new.txt': { hash: hashOf('n'), executable: false },
        link: { link: 'a.txt' },
      },
    });
    await assert.rejects(sandbox.lookAtFiles(known, 3), /more than 3/);
  }),
];
