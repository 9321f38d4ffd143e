import { expect, test } from '@jest/globals';
import { describeAsked, describeToolCall } from '../../../domain/permissions/describe-asked.ts';

test('what is asked for is not allowed by its harmless beginning without a word that it goes on', () => {
  const call = `pay({"memo":"${'thanks '.repeat(100)}","amount":99999})`;
  expect(describeAsked(call, 400)).toMatch(/… \(this is the beginning of 731 characters\)$/);
  expect(describeAsked('pay({"amount":1})', 400)).toBe('pay({"amount":1})');
});

test('no argument of a call looks like another one', () => {
  const given = { memo: 'ok", amount: 1', amount: 99, to: { iban: 'x' } };
  expect(describeToolCall('pay', given)).toBe('pay(memo: "ok\\", amount: 1", amount: 99, to: {"iban":"x"})');
  expect(describeToolCall('end', {})).toBe('end()');
});
