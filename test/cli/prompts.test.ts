import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readShippedPrompt } from '../../agents/load-prompts.ts';
import { runCli } from './run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const run = (...parameters: string[]) =>
  runCli(['prompts', ...parameters], { environment: { LONGHAUL_HOME: home }, folder: home });
const own = (name: string) => join(home, 'prompts', `${name}.md`);

test('a changed prompt is not overwritten', async () => {
  expect(await run('eject', 'code', 'planner')).toMatchObject({
    exitCode: 0,
    stdout: `${own('code')}\n${own('planner')}\n`,
  });
  writeFileSync(own('code'), 'Mine: {{environment}} {{turns}}');
  expect(await run('eject')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`found code.md. Nothing was copied. --force overwrites them.`),
  });
  expect(() => readFileSync(own('testing'))).toThrow('ENOENT');
  expect(readFileSync(own('code'), 'utf8')).toMatch(/^Mine/);
  expect((await run('eject', 'planner')).stdout).toBe(`${own('planner')} (already there)\n`);
  expect((await run('eject', '--force')).exitCode).toBe(0);
  expect(readFileSync(own('code'), 'utf8')).toBe(readShippedPrompt('code').text);
});

test("`prompts show` shows a person's own prompt", async () => {
  await run('eject', 'initializer-task');
  writeFileSync(own('initializer-task'), 'Mine: {{goal}} {{repository}}');
  expect((await run('show', 'initializer-task')).stdout).toBe('Mine: {{goal}} {{repository}}\n');
  expect((await run('show', 'initializer-task', '--shipped')).stdout).toMatch(/^# Goal/);
  expect((await run('list')).stdout).toMatch(/^initializer-task +initializer +own +.*prompts.initializer-task\.md$/m);
  expect((await run('list')).stdout).toMatch(/^session-task +planner code testing documentation +shipped/m);
  expect(await run('show', 'coder')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('got coder.') });
});

test('an invalid prompt is reported', async () => {
  await run('eject', 'code');
  writeFileSync(own('code'), 'Mine: {{environment}}');
  writeFileSync(own('coder'), 'Mine.');
  const { exitCode, stdout } = await run('list');
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    `The prompt ${own('code')} has to use {{turns}}, {{budget}}: add them. \`longhaul prompts show --shipped code\` shows`,
  );
  expect(stdout).toContain(`found ${own('coder')}. Rename or move it.`);
});

test('a stack with invalid prompts does not start', async () => {
  await run('eject', 'code');
  writeFileSync(own('code'), 'Mine: {{environment}}');
  const { exitCode, stderr } = await runCli(['up'], { environment: { LONGHAUL_HOME: home }, folder: home });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/^The prompt .*code\.md has to use \{\{turns\}\}/),
  });
});

test('copying prompts to a folder that nothing reads is reported', async () => {
  const { stdout, stderr } = await run('eject', 'code', '--to', 'elsewhere');
  expect(stdout).toBe(`${join(home, 'elsewhere', 'code.md')}\n`);
  expect(stderr).toContain(`Workers read ${join(home, 'prompts')}`);
});
