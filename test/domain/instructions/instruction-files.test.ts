import { expect, test } from '@jest/globals';
import { foldersAround, foldersWithInstructions } from '../../../domain/instructions/instruction-files.ts';

const paths = [
  'packages/api/deep/CLAUDE.md',
  'AGENTS.md',
  'packages/api/AGENTS.md',
  'packages/api/CLAUDE.md',
  'docs/NOT-AGENTS.md',
];

test('each folder with instructions is named once, the outermost first', () => {
  expect(foldersWithInstructions(paths)).toEqual(['', 'packages/api', 'packages/api/deep']);
  expect(foldersWithInstructions(['README.md'])).toEqual([]);
});

test('a path gets the instructions of the folders that it is in, the nearest last, and no others', () => {
  const folders = ['packages/api', 'packages/api/deep'];
  expect(foldersAround(folders, 'packages/api/deep/a.ts')).toEqual(folders);
  expect(foldersAround(folders, 'packages/api')).toEqual(['packages/api']);
  expect(foldersAround(folders, 'packages/api-client/a.ts')).toEqual([]);
  expect(foldersAround(folders, 'README.md')).toEqual([]);
});
