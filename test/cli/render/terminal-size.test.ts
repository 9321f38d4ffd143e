import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { CommandContext } from '../../../cli/program/command-context.ts';
import { listStyle, terminalSize } from '../../../cli/render/style.ts';

test('a terminal without a size gets a default width', async () => {
  expect(terminalSize({ columns: 0, rows: 0 })).toEqual({ columns: 80, rows: 24 });
  expect(terminalSize({})).toEqual({ columns: 80, rows: 24 });
  expect(terminalSize({ columns: 100, rows: 50 })).toEqual({ columns: 100, rows: 50 });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 0 });
  const style = await listStyle({ stdout, environment: {} } as unknown as CommandContext);
  expect(style.width).toBeUndefined();
});
