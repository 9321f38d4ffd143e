import { expect, test } from '@jest/globals';
import { matchReference } from '../../domain/match-reference.ts';

const all = [
  { id: 'project-list-1a2b3c', name: 'list' },
  { id: 'project-list-4d5e6f', name: 'list' },
  { id: 'project-spend-7a8b9c', name: 'project-list-1a2b3c' },
];

test.each([
  ['a whole id comes before a name', 'project-list-1a2b3c', ['project-list-1a2b3c']],
  ['the prefix can be left out', 'spend-7a8b9c', ['project-spend-7a8b9c']],
  ['a name comes before the start of an id', 'list', ['project-list-1a2b3c', 'project-list-4d5e6f']],
  ['the start of an id is enough', 'project-sp', ['project-spend-7a8b9c']],
  ['also without the prefix', 'list-4', ['project-list-4d5e6f']],
  ['an empty text names nothing', ' ', []],
  ['what fits nothing names nothing', 'other', []],
])('%s', (_, reference, ids) => {
  expect(matchReference(all, reference, 'project-').map(({ id }) => id)).toEqual(ids);
});
