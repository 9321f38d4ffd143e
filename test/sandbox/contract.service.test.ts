import { afterAll, describe, test } from '@jest/globals';
import { sandboxContract, sandboxContractCommands } from '../../testing/sandbox-contract/sandbox-contract.ts';
import { ScriptedSandboxes } from '../../testing/scripted-sandbox/scripted-sandboxes.ts';
import { createTestSandboxes } from './test-sandboxes.ts';

describe('containers', () => {
  const { sandboxes, spec, closeAll } = createTestSandboxes();
  afterAll(closeAll);
  test.each(sandboxContract)('$title', ({ run }) => run({ sandboxes, spec }));
});

describe('scripted sandboxes', () => {
  const sandboxes = new ScriptedSandboxes(sandboxContractCommands);
  let count = 0;
  afterAll(() => sandboxes.dispose());
  test.each(sandboxContract)('$title', ({ run }) =>
    run({
      sandboxes,
      spec: (changes) => ({
        name: `sandbox-${++count}`,
        owner: { project: 'a-project', owner: 'a-session', purpose: 'session' },
        image: 'none',
        ...changes,
      }),
    }),
  );
});
