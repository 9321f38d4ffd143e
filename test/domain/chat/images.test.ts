import { expect, test } from '@jest/globals';
import { imageTypeOf } from '../../../domain/chat/images.ts';

test.each([
  ['image/png', '89504e470d0a1a0a0000000d'],
  ['image/jpeg', 'ffd8ffe000104a464946'],
  ['image/gif', '474946383961'],
  ['image/webp', '524946460a00000057454250'],
  [undefined, '3c737667'],
  [undefined, ''],
])('%s is known by its first bytes', (type, hex) => {
  expect(imageTypeOf(Buffer.from(hex, 'hex'))).toBe(type);
});
