import { expect, test } from '@jest/globals';
import { chooseProject } from '../../../cli/project/with-project.ts';

const project = (id: string, status: Parameters<typeof chooseProject>[0][number]['status']) => ({ id, status });

test('the only project is meant, also when it has ended', () => {
  expect(chooseProject([project('a', 'COMPLETED')])).toBe('a');
});

test('the only one that has not ended is meant', () => {
  expect(chooseProject([project('a', 'COMPLETED'), project('b', 'WAITING'), project('c', 'ABANDONED')])).toBe('b');
});

test('between two nothing is guessed', () => {
  const choose = () => chooseProject([project('a', 'ACTIVE'), project('b', 'PAUSED'), project('c', 'FAILED')]);
  expect(choose).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
  expect(choose).toThrow('Expected the name or id of a project, since 2 have not ended:\n  a (ACTIVE)\n  b (PAUSED)');
});

test('where all have ended none is taken', () => {
  expect(() => chooseProject([project('a', 'COMPLETED'), project('b', 'FAILED')])).toThrow(/since all have ended:/);
});

test('where there is none, the message says how to start one', () => {
  expect(() => chooseProject([])).toThrow('There are no projects yet. `longhaul start "<goal>"` starts one.');
});
