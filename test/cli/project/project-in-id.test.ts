import { expect, test } from '@jest/globals';
import { projectInCheckpointId, projectInRunId } from '../../../cli/project/with-project.ts';

test('a full id names its project', () => {
  expect(projectInCheckpointId('project-spend-ab12cd/c3')).toBe('project-spend-ab12cd');
  expect(projectInRunId('project-spend-ab12cd-s12-work')).toBe('project-spend-ab12cd');
  expect(projectInRunId('project-s3-tools-ab12cd-s1-plan')).toBe('project-s3-tools-ab12cd');
  expect(projectInRunId('project-spend-ab12cd-init')).toBe('project-spend-ab12cd');
});

test('a short id or a commit names no project', () => {
  for (const id of ['c3', 'd6ad7ff1']) expect(projectInCheckpointId(id)).toBeUndefined();
  for (const id of ['s3-work', 'init', 's3']) expect(projectInRunId(id)).toBeUndefined();
});
