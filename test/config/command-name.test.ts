import { expect, test } from '@jest/globals';
import { commandName } from '../../config/command-name.ts';

test('who started with npm would be told a command that is not on the PATH', () => {
  expect(commandName({ npm_command: 'start' })).toBe('npx longhaul');
  expect(commandName({})).toBe('longhaul');
});
