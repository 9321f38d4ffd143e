import { expect, test } from '@jest/globals';
import { projectInCheckpointId } from '../../../cli/project/with-project.ts';

test('a full id names its project', () => {
  expect(projectInCheckpointId('project-spend-ab12cd/c3')).toBe('project-spend-ab12cd');
});

test('a short id or a commit names no project', () => {
  for (const id of ['c3', 'd6ad7ff1']) expect(projectInCheckpointId(id)).toBeUndefined();
});
