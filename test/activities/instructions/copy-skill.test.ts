import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { copySkill } from '../../../activities/instructions/copy-skill.ts';
import { readSkill } from '../../../agents/skills/skill-folder.ts';
import type { CommandRequest, Sandbox } from '../../../sandbox/sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-copy-skill-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the script of a command in bash, with a home of its own. */
const sandbox = {
  async run({ script, input = '', environment = {} }: CommandRequest) {
    const env = { ...environment, HOME: join(folder, 'home') };
    const { stdout, exitCode } = await execa('bash', ['-c', script], { input, env, reject: false });
    return { outcome: 'exited', exitCode, output: { text: stdout } };
  },
} as unknown as Sandbox; // nothing else is asked of it

test('the files of a skill reach the home of the sandbox as they are, programs as programs', async () => {
  const skill = join(folder, 'greet');
  mkdirSync(join(skill, 'scripts', 'deep'), { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: greet\ndescription: Greets.\n---\nRun it.\n');
  writeFileSync(join(skill, 'scripts/deep/a b.sh'), '#!/bin/bash\necho hello\n', { mode: 0o755 });
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  writeFileSync(join(skill, 'empty'), '');
  writeFileSync(join(skill, 'picture.bin'), bytes);
  const place = await copySkill(sandbox, readSkill(skill), { id: 'one' });
  expect(place).toBe(join(folder, 'home/skills/greet'));
  expect(readFileSync(join(place ?? '', 'picture.bin'))).toEqual(bytes);
  expect(readFileSync(join(place ?? '', 'empty'), 'utf8')).toBe('');
  expect(statSync(join(place ?? '', 'picture.bin')).mode & 0o111).toBe(0);
  expect((await execa(join(place ?? '', 'scripts/deep/a b.sh'))).stdout).toBe('hello');
});
