import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCli } from '../run.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-init-agent-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...parameters: string[]) =>
  runCli(parameters, { environment: { LONGHAUL_HOME: join(folder, 'home') }, folder });
const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

test('the folder has an agent called after it, and a package that installs this Longhaul', async () => {
  const { exitCode, stdout, stderr } = await run('init', 'agent', 'agents/World Clock');
  expect(exitCode).toBe(0);
  const path = join(folder, 'agents', 'World Clock');
  expect(stdout).toBe(
    ['agent.ts', 'package.json', 'tsconfig.json', 'README.md'].map((name) => `Wrote ${join(path, name)}\n`).join(''),
  );
  expect(stderr).toContain('npm install');
  expect(read('agents', 'World Clock', 'agent.ts')).toContain("key: 'world-clock',");
  const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(JSON.parse(read('agents', 'World Clock', 'package.json'))).toMatchObject({
    name: 'world-clock',
    type: 'module',
    dependencies: { longhaul: `^${version}`, zod: dependencies.zod },
  });
  expect(read('agents', 'World Clock', 'README.md')).toMatch(/^# world-clock\n/);
});

test('a file that is there stays as it is', async () => {
  mkdirSync(join(folder, 'mine'));
  writeFileSync(join(folder, 'mine', 'agent.ts'), '// mine');
  const { stdout } = await run('init', 'agent', 'mine');
  expect(stdout).toContain(`${join(folder, 'mine', 'agent.ts')} already exists and was not changed.\n`);
  expect(read('mine', 'agent.ts')).toBe('// mine');
  expect(read('mine', 'tsconfig.json')).toContain('"strict": true');
});
