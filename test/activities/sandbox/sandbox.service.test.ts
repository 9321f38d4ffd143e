import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { logRefusals } from '../../../activities/sandbox/log-refusals.ts';
import { runSetUp } from '../../../activities/sandbox/prepare-sandbox.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { events } from '../../../db/schema/runs.ts';
import { ScriptedSandboxes } from '../../../testing/scripted-sandbox/scripted-sandboxes.ts';
import { seedProject } from '../../client/seed-project.ts';
import { createTestSandboxes, outputOf } from '../../sandbox/test-sandboxes.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';

const { database } = await databaseOfFile();

describe('a lost sandbox', () => {
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
    const refused =
      'Longhaul: network policy "allowed.example.org" does not allow refused.example.org:80\n[exit code 0]';
    const asBegun = `set up\na.txt\ninit.sh\nsecond.txt\n${refused}`;
    expect((await call(1, `${look}; echo work >work.txt`)).text).toBe(asBegun);
    await begun.host.sandboxes.close(sessionId);
    const lost = {
      failed: true,
      text: expect.stringMatching(
        `The sandbox was lost\\.[^]* A new one is open at commit ${commit.slice(0, 8)}, and the set-up script has run in it`,
      ),
      alsoStore: { events: [{ type: 'sandbox.opened', sandbox: sessionId, origin: 'lost and opened again' }] },
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
});

describe('the set-up script', () => {
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
});

describe('refusals', () => {
  const sandboxes = new ScriptedSandboxes();
  afterAll(() => sandboxes.dispose());

  test('what was refused a sandbox is logged once for each host, however often it is looked at', async () => {
    const projectId = 'project-refusals';
    await seedProject(database, projectId);
    const refuse = (sandbox: string, host: string) =>
      sandboxes.refuse(sandbox, { host, port: 443, why: `not ${host}` });
    const look = (sandbox: string) => logRefusals({ database, sandboxes }, { kind: 'project', id: projectId }, sandbox);
    const logged = async () =>
      (await readEvents(database, projectId)).flatMap(({ data }) =>
        data.type === 'network.refused'
          ? [`${data.sandbox}: ${data.refusals.map(({ host, why }) => `${host} ${why}`)}`]
          : [],
      );
    await look('s1');
    expect(await logged()).toEqual([]);
    refuse('s1', 'a.example');
    await look('s1');
    await look('s1');
    refuse('s1', 'b.example');
    refuse('s2', 'a.example');
    await look('s1');
    await look('s2');
    expect(await logged()).toEqual([
      's1: a.example:443 not a.example',
      's1: b.example:443 not b.example',
      's2: a.example:443 not a.example',
    ]);
  });

  test('what was refused a chat is in the events of the chat', async () => {
    await createChat(database, { id: 'chat-refused', name: 'refused' });
    sandboxes.refuse('chat-refused', { host: 'a.example', port: 443, why: 'not a.example' });
    const owner = { kind: 'chat', id: 'chat-refused' } as const;
    await Promise.all([1, 2].map(() => logRefusals({ database, sandboxes }, owner, owner.id)));
    const rows = await database.select({ data: events.data }).from(events).where(eq(events.chatId, owner.id));
    expect(rows.map(({ data }) => data)).toEqual([
      { type: 'network.refused', sandbox: owner.id, refusals: [{ host: 'a.example:443', why: 'not a.example' }] },
    ]);
  });
});
