import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'longhaul-run-jest-'));
  symlinkSync(join(packageRoot(), 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'test'));
  writeFileSync(join(root, 'package.json'), '{ "jest": { "testMatch": ["<rootDir>/test/**/*.js"] } }');
  write('steady', "test('holds', () => {}); test.skip('later', () => {});");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, contents: string) => writeFileSync(join(root, 'test', `${name}.js`), contents);

/** A test that leaves a file behind at its first run, and passes when it finds it. */
const unsteady = `
  const { existsSync, writeFileSync } = require('node:fs');
  test('holds', () => {});
  test('comes late', () => {
    const there = existsSync(__filename + '.seen');
    writeFileSync(__filename + '.seen', '');
    expect(there).toBe(true);
  });`;

/** As `npm test` runs it: in a process of its own. */
async function runJest(runAgain: boolean): Promise<Record<string, unknown>> {
  const script = `
    import { runJest } from ${JSON.stringify(pathToFileURL(join(packageRoot(), 'bin', 'run-jest.mjs')).href)};
    const outcome = await runJest({ root: ${JSON.stringify(root)}, environment: process.env, parameters: [], runAgain: ${runAgain} });
    console.log(JSON.stringify(outcome));`;
  const { stdout } = await execa('node', ['--input-type=module', '-e', script]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

test('a test that missed its moment once would fail the run, or pass without a word', async () => {
  write('late', unsteady);
  expect(await runJest(true)).toEqual({
    exitCode: 0,
    passed: 3,
    failed: 0,
    skipped: 1,
    unsteady: ['test/late.js: comes late'],
  });
});

test('a run that asks for named tests would hide what fails once', async () => {
  write('late', unsteady);
  expect(await runJest(false)).toEqual({ exitCode: 1, passed: 2, failed: 1, skipped: 1, unsteady: [] });
});

test('a test that fails twice, or a file that does not load, would not be counted', async () => {
  write('wrong', "test('fails', () => { throw new Error('no'); });");
  write('broken', 'syntax error');
  expect(await runJest(true)).toEqual({ exitCode: 1, passed: 1, failed: 2, skipped: 1, unsteady: [] });
});

test('a change that breaks much would be run twice', async () => {
  for (const name of ['one', 'two', 'three', 'four']) write(name, unsteady);
  expect(await runJest(true)).toEqual({ exitCode: 1, passed: 5, failed: 4, skipped: 1, unsteady: [] });
});
