import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCli } from '../run.ts';

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-skills-home-'));
  folder = mkdtempSync(join(tmpdir(), 'longhaul-skills-'));
});
afterEach(() => {
  for (const one of [home, folder]) rmSync(one, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const skill = (name: string) => `---\nname: ${name}\ndescription: How to ${name}.\n---\nThe steps of ${name}.\n`;
const run = (...parameters: string[]) => runCli(parameters, { environment: { LONGHAUL_HOME: home }, folder });

test('an added skill is copied whole, listed and shown, and not overwritten', async () => {
  write('mine/release/SKILL.md', skill('release'));
  write('mine/release/scripts/tag.sh', 'git tag\n');
  const target = join(home, 'skills', 'release');
  expect(await run('skills', 'add', 'mine/release')).toEqual({
    exitCode: 0,
    stdout: `${target}\n`,
    stderr: 'Agents are told of "release" when their next run or conversation begins.\n',
  });
  expect(readFileSync(join(target, 'scripts/tag.sh'), 'utf8')).toBe('git tag\n');
  expect((await run('skills', 'list')).stdout).toMatch(/^release {2}How to release\. {2}/);
  expect(await run('skills', 'show', 'release')).toMatchObject({
    stdout: expect.stringContaining('The steps of release.'),
    stderr: expect.stringContaining('with scripts/tag.sh'),
  });
  expect(await run('skills', 'add', 'mine/release')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`There is a skill at ${target} already.`),
  });
});

test('a skill that cannot be used is not copied', async () => {
  write('linked/SKILL.md', skill('linked'));
  symlinkSync('/etc/passwd', join(folder, 'linked', 'passwd'));
  expect(await run('skills', 'add', 'linked')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is a link or a device'),
  });
  expect(await run('skills', 'add', 'none')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('SKILL.md'),
  });
  expect(existsSync(join(home, 'skills')) ? readdirSync(join(home, 'skills')) : []).toEqual([]);
});

test("a repository's skills are listed too, and what is wrong with one is told", async () => {
  write('.agents/skills/ship/SKILL.md', skill('ship'));
  write('.claude/skills/bad/SKILL.md', 'Do it.');
  const { exitCode, stdout } = await run('skills', 'list', '--json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'ship', files: [] },
    { name: 'bad', problem: expect.stringContaining('to start with front matter') },
  ]);
  expect(await run('skills', 'show', 'bad')).toMatchObject({ exitCode: 2 });
});
