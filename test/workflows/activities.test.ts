import { expect, test } from '@jest/globals';
import { defaultIdleMs } from '../../models/create-provider.ts';
import { modelCall } from '../../workflows/activities.ts';

test('a model that speaks for hours, behind others that hang, would be cut off without a name, and asked again', () => {
  const hours = 60 * 60_000;
  // 32,000 tokens at two per second.
  expect(modelCall.startToCloseTimeout).toBeGreaterThan(4 * defaultIdleMs + 4.5 * hours);
});
