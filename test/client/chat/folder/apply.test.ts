import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { planApply } from '../../../../client/chat/folder/plan-apply.ts';
import { factsOf } from '../../../../client/chat/folder/read-folder.ts';
import { writeChanges } from '../../../../client/chat/folder/write-changes.ts';
import type { FolderFacts } from '../../../../domain/chat/files.ts';
import { compareFolder } from '../../../../domain/chat/folder-changes.ts';
import { defaultRules } from '../../../../domain/permissions/default-rules.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Texts by path; those of `scripts` can be executed. */
type Texts = Record<string, string>;

function folderWith(texts: Texts): string {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-apply-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const fileOf = (text: string, executable = false) => ({ executable, content: Buffer.from(text) });
const factsOfAll = (texts: Texts): FolderFacts =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, factsOf(fileOf(text))]));

/** What an agent that made `after` of the copy of `before` has written to `folder`. */
function planned(folder: string, before: Texts, after: Texts) {
  const [base, now] = [factsOfAll(before), factsOfAll(after)];
  return planApply(folder, { changes: compareFolder(base, now), base, now, rules: defaultRules });
}

const contentsOf = (texts: Texts) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, { path, ...fileOf(text) }]));

test('files are added, changed and deleted, with their folders, and nothing else is left', async () => {
  const before = { 'a.txt': 'a', 'old/b.txt': 'b', 'same.txt': 's' };
  const folder = folderWith(before);
  chmodSync(join(folder, 'a.txt'), 0o600);
  const after = { 'a.txt': 'A', 'new/deep/c.txt': 'c', 'same.txt': 's' };
  const plan = await planned(folder, before, after);
  expect(plan).toMatchObject({ conflicts: [], asked: [], refused: undefined });
  await writeChanges(folder, plan.changes, contentsOf(after));
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
    'a.txt',
    'new',
    'new/deep',
    'new/deep/c.txt',
    'same.txt',
  ]);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('A');
  expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o600);
  expect((await planned(folder, before, after)).changes).toEqual([]); // an interrupted one is planned again
});

test('what changed in the folder meanwhile is a conflict, and so is a file where none was', async () => {
  const before = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' };
  const folder = folderWith({ ...before, 'a.txt': 'by hand', 'new.txt': 'by hand' });
  rmSync(join(folder, 'c.txt'));
  const plan = await planned(folder, before, { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C', 'new.txt': 'n' });
  expect(plan.conflicts).toEqual(['a.txt', 'c.txt', 'new.txt']);
  expect(plan.changes.map(({ path }) => path)).toEqual(['b.txt']);
});

test('nothing is written through a link, or in place of one', async () => {
  const outside = folderWith({});
  const folder = folderWith({ 'a.txt': 'a' });
  symlinkSync(outside, join(folder, 'linked'));
  symlinkSync(join(outside, 'x'), join(folder, 'x'));
  const plan = await planned(folder, { 'a.txt': 'a' }, { 'a.txt': 'a', 'linked/b.txt': 'b', x: 'x' });
  expect(plan).toMatchObject({ changes: [], conflicts: ['linked/b.txt', 'x'] });
});

test('files that run by themselves are asked for, and a repository is refused', async () => {
  const folder = folderWith({});
  const plan = await planned(folder, {}, { '.envrc': 'x', '.vscode/tasks.json': '{}', 'a.txt': 'a' });
  expect(plan.asked.map(({ path }) => path)).toEqual(['.envrc', '.vscode/tasks.json']);
  expect((await planned(folder, {}, { '.git/hooks/pre-commit': 'x' })).refused).toMatch(/leads into a repository/);
  expect((await planned(folder, {}, { HEAD: 'x', 'objects/a': 'x', 'refs/b': 'x' })).refused).toMatch(
    /takes for a repository/,
  );
  expect((await planned(folder, {}, { '../a': 'x' })).refused).toMatch(/leads out of the folder/);
});

test('where one file cannot be written, none is', async () => {
  const folder = folderWith({ 'a.txt': 'a' });
  const plan = await planned(folder, { 'a.txt': 'a' }, { 'a.txt': 'A', 'new/b.txt': 'b' });
  await expect(writeChanges(folder, plan.changes, contentsOf({ 'a.txt': 'A' }))).rejects.toThrow(
    'content of new/b.txt',
  );
  expect(readdirSync(folder)).toEqual(['a.txt']);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a');
  expect(existsSync(join(folder, 'new'))).toBe(false);
});
