import { expect, test } from '@jest/globals';
import { commandName, withCommandName } from '../../config/command-name.ts';

test('messages name `npx longhaul` to those who start with npm', () => {
  expect(commandName({ npm_command: 'start' })).toBe('npx longhaul');
  expect(commandName({})).toBe('longhaul');
});

test('only commands in a text are renamed, not folders or ids', () => {
  const text = '`longhaul down && longhaul up -d`, or `longhaul list`: see ~/longhaul and `longhaul-3`.';
  expect(withCommandName(text, { npm_command: 'exec' })).toBe(
    '`npx longhaul down && npx longhaul up -d`, or `npx longhaul list`: see ~/longhaul and `longhaul-3`.',
  );
  expect(withCommandName(text, {})).toBe(text);
});
