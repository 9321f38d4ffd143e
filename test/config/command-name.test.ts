import { expect, test } from '@jest/globals';
import { commandName, withCommandName } from '../../config/command-name.ts';

test('who started with npm would be told a command that is not on the PATH', () => {
  expect(commandName({ npm_command: 'start' })).toBe('npx longhaul');
  expect(commandName({})).toBe('longhaul');
});

test('a text that names commands would name some that are not on the PATH, or a folder or an id would be changed', () => {
  const text = '`longhaul down && longhaul up -d`, or `longhaul list`: see ~/longhaul and `longhaul-3`.';
  expect(withCommandName(text, { npm_command: 'exec' })).toBe(
    '`npx longhaul down && npx longhaul up -d`, or `npx longhaul list`: see ~/longhaul and `longhaul-3`.',
  );
  expect(withCommandName(text, {})).toBe(text);
});
