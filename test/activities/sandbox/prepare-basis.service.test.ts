import { afterAll, expect, test } from '@jest/globals';
import { setUpSandbox } from '../../../activities/sandbox/prepare-sandbox.ts';
import { makeRepository } from '../../sandbox/make-repository.ts';
import { createTestSandboxes, outputOf } from '../../sandbox/test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

const { signal } = new AbortController();

/** What the set-up script of a repository with these files comes to. */
async function setUp(files: Record<string, string>) {
  const repository = await makeRepository(files);
  const sandbox = await host.open();
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  await repository.remove();
  const { passed, output, command } = await setUpSandbox(sandbox, { cancel: signal, detach: signal });
  return { sandbox, result: { passed, output, command } };
}

const script = 'set -e\nif true; then\n  cd "$(dirname "$0")"\n  echo made >made\nfi\necho "$#"\n';

test('a repository with CRLF files can be set up', async () => {
  const { sandbox, result } = await setUp({ '.gitattributes': '* text eol=crlf\n', 'init.sh': script });
  expect(await outputOf(sandbox, 'look', "grep -c $'\\r' init.sh")).toBe('6');
  expect(result).toEqual({ passed: true, output: '0\n', command: 'bash ./init.sh' });
  expect(await outputOf(sandbox, 'made', 'cat made')).toBe('made');
});

test('a failing set-up script is told apart from a missing one', async () => {
  expect((await setUp({ 'init.sh': 'echo no\nexit 3\n' })).result).toMatchObject({ passed: false, output: 'no\n' });
  expect((await setUp({ 'a.txt': 'a\n' })).result).toMatchObject({ passed: true, output: '' });
});
