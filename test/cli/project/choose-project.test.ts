import { expect, test } from '@jest/globals';
import { chooseProject } from '../../../cli/project/with-project.ts';

const project = (id: string, status: Parameters<typeof chooseProject>[0][number]['status']) => ({ id, status });

test('the only project is chosen, even after its end', () => {
  expect(chooseProject([project('a', 'COMPLETED')])).toBe('a');
});

test('the only project that has not ended is chosen', () => {
  expect(chooseProject([project('a', 'COMPLETED'), project('b', 'WAITING'), project('c', 'ABANDONED')])).toBe('b');
});

test('between two projects none is chosen', () => {
  const choose = () => chooseProject([project('a', 'ACTIVE'), project('b', 'PAUSED'), project('c', 'FAILED')]);
  expect(choose).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
  expect(choose).toThrow('Expected the name or id of a project, since 2 have not ended:\n  a (ACTIVE)\n  b (PAUSED)');
});

test('if all projects have ended none is chosen', () => {
  expect(() => chooseProject([project('a', 'COMPLETED'), project('b', 'FAILED')])).toThrow(/since all have ended:/);
});

test('without projects the message says how to start one', () => {
  expect(() => chooseProject([])).toThrow('There are no projects yet. `longhaul start "<goal>"` starts one.');
});
