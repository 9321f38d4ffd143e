import { expect, test } from '@jest/globals';
import { createProjectId } from '../../../client/project/project-id.ts';

test('two projects of one name have different ids', () => {
  const ids = new Set(Array.from({ length: 100 }, () => createProjectId('spend')));
  expect(ids.size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^project-spend-[a-z0-9]{6}$/);
});
