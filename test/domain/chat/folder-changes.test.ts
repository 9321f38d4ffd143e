import { expect, test } from '@jest/globals';
import type { FolderFacts } from '../../../domain/chat/files.ts';
import { compareFolder } from '../../../domain/chat/folder-changes.ts';

const file = (hash: string, executable = false) => ({ hash, executable });

test('a copy is compared by content, permission and kind', () => {
  const base: FolderFacts = {
    same: file('1'),
    edited: file('1'),
    script: file('1'),
    gone: file('1'),
    link: { link: 'same' },
  };
  const now: FolderFacts = {
    same: file('1'),
    edited: file('2'),
    script: file('1', true),
    link: { link: 'same' },
    fresh: file('3'),
  };
  expect(compareFolder(base, now).map(({ path, kind }) => [path, kind])).toEqual([
    ['edited', 'changed'],
    ['fresh', 'added'],
    ['gone', 'deleted'],
    ['script', 'changed'],
  ]);
});

test('a new link, or one with another target, is never written', () => {
  expect(
    compareFolder({ a: { link: 'x' }, b: file('1') }, { a: { link: '/etc' }, b: { link: 'a' }, c: { link: 'y' } }),
  ).toEqual([]);
});

test('a file may have the name of a method', () => {
  expect(compareFolder({}, { constructor: file('1') }).map(({ kind }) => kind)).toEqual(['added']);
  expect(compareFolder({ toString: file('1') }, {}).map(({ kind }) => kind)).toEqual(['deleted']);
});
