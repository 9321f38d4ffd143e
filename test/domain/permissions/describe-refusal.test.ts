import { expect, test } from '@jest/globals';
import { describeRefusal } from '../../../domain/permissions/describe-refusal.ts';

test('an agent is told to do without what was refused, and to make a call otherwise that a person wants otherwise', () => {
  expect(describeRefusal('pay(5)', 'no', null)).toBe('A person refused pay(5). Do without it.');
  expect(describeRefusal('pay(5)', 'no', 'Too much')).toBe('A person refused pay(5): Too much. Do without it.');
  expect(describeRefusal('pay(5)', 'edit', 'Pay 4 instead!')).toBe(
    'A person does not want pay(5) like this: Pay 4 instead! Call it again accordingly.',
  );
});
