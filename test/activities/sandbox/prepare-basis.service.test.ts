import { afterAll, expect, test } from '@jest/globals';
import { runSetUp } from '../../../activities/sandbox/prepare-sandbox.ts';
import { createTestSandboxes, outputOf } from '../../sandbox/test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

const { signal } = new AbortController();
const script = 'set -e\nif true; then\n  cd "$(dirname "$0")"\n  echo made >made\nfi\necho "$#"\n';

test('a set-up script with the line ends of Windows runs in the workspace', async () => {
  const sandbox = await host.open();
  const signals = { cancel: signal, detach: signal };
  const { passed, output, command } = await runSetUp(sandbox, script.replaceAll('\n', '\r\n'), signals);
  expect({ passed, output, command }).toEqual({ passed: true, output: '0\n', command: 'bash ./init.sh' });
  expect(await outputOf(sandbox, 'made', 'cat made')).toBe('made');
});

test('a failing set-up script fails with its output', async () => {
  const sandbox = await host.open();
  const result = await runSetUp(sandbox, 'echo no\nexit 3\n', { cancel: signal, detach: signal });
  expect(result).toMatchObject({ passed: false, exitCode: 3, output: 'no\n' });
});
