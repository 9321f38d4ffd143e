import { expect, test } from '@jest/globals';
import { checkSettings } from '../../../client/start/check-settings.ts';

test.each([0, -1, 1.5, Number.NaN, 21])('%p attempts are refused before anything is started', (maxAttempts) => {
  expect(() => checkSettings({ maxAttempts })).toThrow(/^Expected maxAttempts to be a whole number from 1 to 20, got /);
});

test('settings that were left open do not reach the workflow, which would refuse them', () => {
  expect(checkSettings({ maxAttempts: 2, model: undefined, network: undefined })).toEqual({ maxAttempts: 2 });
});
