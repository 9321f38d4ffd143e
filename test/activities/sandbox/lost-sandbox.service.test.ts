import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBegunSessions } from '../../support/work/begun-session.ts';

const setUp = 'echo set up >>~/set-up\n';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

test('a replacement sandbox is set up', async () => {
  const { sessionId, commit, call } = await begun.begin({ setUp });
  expect((await call(1, 'cat ~/set-up; echo work >work.txt')).text).toBe('set up\n[exit code 0]');
  await begun.host.sandboxes.close(sessionId);
  expect(await call(2, 'echo ran >>runs.txt')).toEqual({
    failed: true,
    text: expect.stringContaining(
      `A new one is open at commit ${commit.slice(0, 8)}, and the set-up script has run in it`,
    ),
    alsoStore: { events: [{ type: 'sandbox-opened', sandbox: sessionId, origin: 'lost and opened again' }] },
  });
  expect((await call(3, 'cat ~/set-up; ls')).text).toBe('set up\na.txt\ninit.sh\nsecond.txt\n[exit code 0]');
});

test('an agent hears of a lost sandbox although its worker died', async () => {
  const { sessionId, call } = await begun.begin({ setUp });
  await begun.host.sandboxes.close(sessionId);
  const first = await call(1, 'echo ran >>runs.txt');
  expect(first.text).toContain('The sandbox was lost.');
  expect(await call(1, 'echo ran >>runs.txt')).toEqual(first);
  expect((await call(2, 'cat runs.txt')).text).toMatch(/No such file or directory\n\[exit code 1\]$/);
  expect((await call(3, 'echo goes on')).text).toBe('goes on\n[exit code 0]');
});

test('a replacement sandbox has the network policy of the lost one', async () => {
  const { sessionId, call } = await begun.begin({ network: ['allowed.example.org'] });
  const look = 'curl -s http://refused.example.org';
  const refused = 'Longhaul: network policy "allowed.example.org" does not allow refused.example.org:80\n[exit code 0]';
  expect((await call(1, look)).text).toBe(refused);
  await begun.host.sandboxes.close(sessionId);
  await call(2, 'true');
  expect((await call(3, look)).text).toBe(refused);
});

test('a lost sandbox is never committed as a session without work', async () => {
  const { sessionId, call, commitWork } = await begun.begin({ setUp });
  await call(1, 'echo work >work.txt');
  await begun.host.sandboxes.close(sessionId);
  for (const _attempt of [1, 2]) {
    await expect(commitWork()).rejects.toMatchObject({ type: 'SandboxLost', nonRetryable: true });
    expect(await begun.host.sandboxes.find(sessionId)).toBeUndefined();
  }
});

test('work that cannot be committed fails at once, and the next attempt gets the reason', async () => {
  const { call, commitWork } = await begun.begin({ setUp });
  await call(1, 'echo secret >key.pem; chmod 000 key.pem');
  expect(await commitWork()).toEqual({
    refused: expect.stringMatching(/^Expected readable files in the workspace, .*: key\.pem\. Make them readable/),
  });
  await call(2, `rm -f key.pem; printf '[submodule "x"]\\n\\tpath = x\\n\\turl = -u./payload\\n' >.gitmodules`);
  expect(await commitWork()).toEqual({ refused: expect.stringContaining('gitmodulesUrl') });
  await call(3, 'rm .gitmodules; echo work >work.txt');
  expect(await commitWork()).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
});
