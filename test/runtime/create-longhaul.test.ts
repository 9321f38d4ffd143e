import { expect, test } from '@jest/globals';
import { createLonghaul } from '../../runtime/create-longhaul.ts';

test.each([
  [{ agents: { a: 1 } }, '  agents: expected a list of agents, got { a }'],
  [
    { agents: [{ key: 'a', instructions: 'x' }] },
    '  agents.0: expected an agent from defineAgent, got { key, instructions }',
  ],
  [{ agent: [] }, '  expected only known settings, got "agent"'],
])('options that are wrong are named before anything is connected: %j', async (options, expected) => {
  await expect(createLonghaul(options as never)).rejects.toMatchObject({
    code: 'InvalidDefinition',
    message: `Longhaul cannot be created:\n${expected}`,
  });
});
