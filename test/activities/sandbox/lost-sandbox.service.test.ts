import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBegunSessions } from '../../support/work/begun-session.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
/** The session of all these tests, with turns in order. */
let session: Awaited<ReturnType<typeof begun.begin>>;
beforeAll(async () => {
  begun = await createBegunSessions();
  session = await begun.begin({ setUp: 'echo set up >>~/set-up\n', network: ['allowed.example.org'] });
});
afterAll(() => begun?.stop());

test('a lost sandbox is replaced by one that is set up and has the same network policy, and the agent hears of it although its worker died', async () => {
  const { sessionId, commit, call } = session;
  const look = 'cat ~/set-up; ls; curl -s http://refused.example.org';
  const refused = 'Longhaul: network policy "allowed.example.org" does not allow refused.example.org:80\n[exit code 0]';
  const asBegun = `set up\na.txt\ninit.sh\nsecond.txt\n${refused}`;
  expect((await call(1, `${look}; echo work >work.txt`)).text).toBe(asBegun);
  await begun.host.sandboxes.close(sessionId);
  const lost = {
    failed: true,
    text: expect.stringMatching(
      `The sandbox was lost\\.[^]* A new one is open at commit ${commit.slice(0, 8)}, and the set-up script has run in it`,
    ),
    alsoStore: { events: [{ type: 'sandbox-opened', sandbox: sessionId, origin: 'lost and opened again' }] },
  };
  const first = await call(2, 'echo ran >>runs.txt');
  expect(first).toEqual(lost);
  expect(await call(2, 'echo ran >>runs.txt')).toEqual(first);
  expect((await call(3, look)).text).toBe(asBegun);
});

test('work that cannot be committed fails at once, and the next attempt gets the reason', async () => {
  const { call, commitWork } = session;
  await call(4, 'echo secret >key.pem; chmod 000 key.pem');
  expect(await commitWork()).toEqual({
    refused: expect.stringMatching(/^Expected readable files in the workspace, .*: key\.pem\. Make them readable/),
  });
  await call(5, `rm -f key.pem; printf '[submodule "x"]\\n\\tpath = x\\n\\turl = -u./payload\\n' >.gitmodules`);
  expect(await commitWork()).toEqual({ refused: expect.stringContaining('gitmodulesUrl') });
  await call(6, 'rm .gitmodules; echo work >work.txt');
  expect(await commitWork()).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
});

test('a lost sandbox is never committed as a session without work', async () => {
  const { sessionId, commitWork } = session;
  await begun.host.sandboxes.close(sessionId);
  for (const _attempt of [1, 2]) {
    await expect(commitWork()).rejects.toMatchObject({ type: 'SandboxLost', nonRetryable: true });
    expect(await begun.host.sandboxes.find(sessionId)).toBeUndefined();
  }
});
