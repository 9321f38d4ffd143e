import { expect, test } from '@jest/globals';
import { describeAsked } from '../../../domain/permissions/describe-asked.ts';

test('what is asked for is not allowed by its harmless beginning without a word that it goes on', () => {
  const call = `pay({"memo":"${'thanks '.repeat(100)}","amount":99999})`;
  expect(describeAsked(call, 400)).toMatch(/… \(this is the beginning of 731 characters\)$/);
  expect(describeAsked('pay({"amount":1})', 400)).toBe('pay({"amount":1})');
});
