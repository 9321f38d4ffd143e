import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCli } from './run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-memory-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Without a model: words are enough here. */
const run = (...parameters: string[]) =>
  runCli(['memory', ...parameters], {
    environment: { LONGHAUL_HOME: join(folder, 'home'), LONGHAUL_MODEL_EMBEDDING: 'none' },
  });

async function printed(...parameters: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await run(...parameters);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

test('what a person writes down would not be found, shown, changed or forgotten', async () => {
  const id = (await printed('add', 'The upload limit is 5 MB', '--tag', 'limits')).trim();
  expect(await printed('search', 'what', 'is', 'the', 'upload', 'limit')).toMatch(
    new RegExp(`^\\d\\.\\d\\d +text +${id} `),
  );
  await printed('edit', id, '--text', 'The upload limit is 7 MB', '--importance', '0.9');
  expect(JSON.parse(await printed('show', id, '--json'))).toMatchObject({
    text: 'The upload limit is 7 MB',
    tags: ['limits'],
    importance: 0.9,
    kind: 'fact',
    scope: 'global',
  });
  expect(await printed('show', id)).toMatch(/importance +0\.9\n[\s\S]*The upload limit is 7 MB/);
  expect(await printed('forget', id)).toBe('Forgot 1 of 1.\n');
  expect(await printed('list')).toBe('There is no such memory.\n');
});

test('what is known, or contradicts it, would stand beside it', async () => {
  const first = (await printed('add', 'Ann lives in Paris')).trim();
  expect(await printed('add', 'ann lives in Paris.')).toBe(`${first} says so already.\n`);
  expect(await printed('add', 'Ann lives in Rome')).toMatch(new RegExp(`in the place of ${first}\n$`));
  expect(JSON.parse(await printed('list', '--json'))).toMatchObject([{ text: 'Ann lives in Rome' }]);
  expect(JSON.parse(await printed('list', '--history', '--json'))).toHaveLength(2);
});

test('an export would not bring everything back elsewhere, or an import write twice', async () => {
  await printed('add', 'Ann lives in Paris');
  await printed('add', 'Ann lives in Rome');
  await printed('add', 'Bob has a\nzebra 🎉', '--kind', 'custom');
  const file = join(folder, 'memories.jsonl');
  expect(await printed('export', file)).toBe(`Wrote 3 memories to ${file}.\n`);
  const before = await printed('list', '--history', '--json');
  rmSync(join(folder, 'home'), { recursive: true });
  for (let time = 0; time < 2; time += 1) expect(await printed('import', file)).toBe('Wrote 3 memories.\n');
  expect(await printed('list', '--history', '--json')).toBe(before);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3);
});

test('a file that is no export, a secret or an unknown id would not be told apart, or end in a stack trace', async () => {
  const file = join(folder, 'bad.jsonl');
  writeFileSync(file, '{"id":"a"}\n');
  const told = async (...parameters: string[]) => {
    const { stderr, exitCode } = await run(...parameters);
    expect(exitCode).not.toBe(0);
    expect(stderr).not.toMatch(/ {4}at /);
    return stderr;
  };
  expect(await told('import', file)).toMatch(/Expected memory 1 as .*text:/);
  writeFileSync(file, 'no json\n');
  expect(await told('import', file)).toMatch(/Expected JSON in line 1/);
  expect(await told('add', `The token is ghp_${'a1B2'.repeat(9)}`)).toMatch(/a GitHub token/);
  expect(await told('show', 'nothing')).toMatch(/Expected the id of a memory, got "nothing"/);
  expect(await told('reindex', '--here')).toMatch(/longhaul setup/);
  expect(await told('forget', 'nothing')).toBe('');
});

test('nobody could see how many there are and what finds them', async () => {
  await printed('add', 'Ann lives in Paris');
  expect(JSON.parse(await printed('stats', '--json'))).toMatchObject({
    memories: 1,
    byKind: { fact: 1 },
    withoutVector: 1,
  });
  expect(await printed('stats')).toMatch(/memories +1\n.*\nmodel +none/);
});
