import { expect, test } from '@jest/globals';
import { defaultIdleMs } from '../../models/create-provider.ts';
import { modelCall } from '../../workflows/activities.ts';

test('a slow model behind hanging ones is cut off with a named failure', () => {
  const hours = 60 * 60_000;
  // 32,000 tokens at two per second.
  expect(modelCall.startToCloseTimeout).toBeGreaterThan(4 * defaultIdleMs + 4.5 * hours);
});
