import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { sourceOfSandbox } from '../../../activities/instructions/instruction-source.ts';
import { readInstructions } from '../../../activities/instructions/read-instructions.ts';
import { SandboxError } from '../../../sandbox/errors.ts';
import type { CommandRequest, Sandbox } from '../../../sandbox/sandbox.ts';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'longhaul-instruction-source-'));
});
afterEach(() => rmSync(workspace, { recursive: true }));

/** A sandbox whose workspace is a folder of this machine. */
const sandbox = {
  async run({ script }: CommandRequest) {
    const { stdout, exitCode } = await execa('bash', ['-c', script], { cwd: workspace, reject: false });
    return { outcome: 'exited', exitCode, output: { text: stdout } };
  },
  files: {
    async read({ path }: { path: string }) {
      try {
        return readFileSync(join(workspace, path));
      } catch {
        throw new SandboxError('FileRefused', `There is no file "${path}".`);
      }
    },
  },
} as unknown as Sandbox; // nothing else is asked of it

function write(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

test('the instructions of a sandbox are those of its workspace now, without ignored ones, in a repository or not', async () => {
  write('AGENTS.md', 'Run make test.');
  write('a/CLAUDE.md', 'Use tabs.');
  write('a/AGENTS.md.orig', 'No.');
  write('.agents/skills/x/SKILL.md', 'x');
  const listed = ['.agents/skills/x/SKILL.md', 'AGENTS.md', 'a/CLAUDE.md'];
  const source = sourceOfSandbox(sandbox, 'one');
  expect((await source.list()).sort()).toEqual(listed);
  await execa('git', ['init', '-q'], { cwd: workspace });
  write('.gitignore', 'build/\n');
  write('build/AGENTS.md', 'Made by a build.');
  expect((await source.list()).sort()).toEqual(listed);
  expect(await readInstructions(source, await source.list())).toEqual({
    root: expect.stringContaining('Run make test.'),
    folders: ['a'],
  });
  expect(await source.read('b/AGENTS.md')).toBeUndefined();
});
