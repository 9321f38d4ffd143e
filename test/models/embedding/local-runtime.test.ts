import { expect, test } from '@jest/globals';
import { hasLocalRuntime, localRuntimeMissing } from '../../../models/embedding/local-runtime.ts';

test('the runtime that npm left out is noticed, and the way to install it is said', () => {
  expect(hasLocalRuntime()).toBe(true);
  expect(hasLocalRuntime('file:///nowhere/longhaul/index.js')).toBe(false);
  expect(localRuntimeMissing).toContain('`ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node`');
});
