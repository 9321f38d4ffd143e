import { expect, test } from '@jest/globals';
import { colorsFor } from '../../../cli/render/style.ts';

test('NO_COLOR works on a terminal', () => {
  expect(colorsFor({ isTTY: true }, {}).red('x')).not.toBe('x');
  expect(colorsFor({ isTTY: true }, { NO_COLOR: '1' }).red('x')).toBe('x');
});

test('a pipe gets no colours unless they are forced', () => {
  expect(colorsFor({}, {}).red('x')).toBe('x');
  expect(colorsFor({}, { FORCE_COLOR: '1' }).red('x')).not.toBe('x');
});
