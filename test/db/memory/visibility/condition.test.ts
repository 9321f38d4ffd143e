import { expect, test } from '@jest/globals';
import { toCondition } from '../../../../db/memory/visibility/condition.ts';

const now = new Date('2026-01-01');

test('a reader without project and session sees no private memories', () => {
  expect(toCondition({ scope: {}, history: true }, now)).toBe("((scope = 'global' and true))");
  expect(toCondition({ scope: { reach: 'own' }, history: true }, now)).toBe('(false)');
});

test('a project without a lineage sees memories without one only', () => {
  const condition = toCondition({ scope: { project: { id: 'p', ranges: [] }, reach: 'own' }, history: true }, now);
  expect(condition).toContain('(lineage_id is null or (false))');
});
