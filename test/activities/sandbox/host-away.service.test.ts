import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createRunTool, maxTriesInChat } from '../../../activities/tools/run-tool.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { beginExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { createSandboxes } from '../../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../../sandbox/docker/host/connect-docker.ts';
import { SandboxError } from '../../../sandbox/errors.ts';
import { imageTag } from '../../../sandbox/image/image-tag.ts';
import { createTestSandboxes } from '../../sandbox/test-sandboxes.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();
const host = createTestSandboxes();
const folder = mkdtempSync(join(tmpdir(), 'longhaul-host-away-'));
const socket = join(folder, 'docker.sock');
const docker = (process.env.DOCKER_HOST ?? '/var/run/docker.sock').replace('unix://', '');
const runTool = createRunTool(
  {
    database,
    sandboxes: createSandboxes({ docker: connectDocker(`unix://${socket}`), stack: host.stack }),
    defaultImage: process.env.SANDBOX_IMAGE || (await imageTag(packageRoot())),
    agents: { chat: { network: 'none', fetch: [] }, permissions: { rules: [] } },
  } as unknown as Dependencies, // no other dependency is used
);
afterAll(async () => {
  await host.closeAll();
  for (const { name } of await host.sandboxes.listKept()) await host.sandboxes.close(name);
  rmSync(folder, { recursive: true, force: true });
});

/** A call of a shell command, each in a chat of its own. */
async function ask(name: string, tool = runTool) {
  const chatId = `chat-${name}-${host.stack}`;
  await createChat(database, { id: chatId, name });
  await keepExchange(database, { chatId, id: name, text: name });
  const begun = await beginExchange(database, { chatId, id: name }, { instructions: 'You chat.', model: 'm' });
  const { runId = '', turn = 1 } = begun ?? {};
  const toolCalls = [{ id: 'call', name: 'run_command', arguments: '{"command": "echo ran >>runs; cat runs"}' }];
  await insertMessage(database, { runId, number: 2, turn, role: 'assistant', content: { text: '', toolCalls } });
  const call = {
    owner: { kind: 'chat' as const, id: chatId },
    runId,
    role: 'chat' as const,
    maxTurns: 15,
    turn,
    position: 0,
    messageNumber: 3,
  };
  return {
    attempt: (number = 1) => inActivity(() => tool(call), { info: { attempt: number } }),
    result: async () => (await readMessages(database, runId))[3]?.content.text,
  };
}

test('a call of a chat whose container host stays away is given up after a minute of tries', async () => {
  const { attempt, result } = await ask('silent');
  await expect(attempt(maxTriesInChat - 1)).rejects.toThrow('The container host does not answer');
  expect(await attempt(maxTriesInChat)).toMatchObject({
    failed: true,
    preview: expect.stringMatching(/^The container host does not answer[\s\S]*given up after a minute/),
  });
  expect(await result()).toContain('Tell the person');
});

test('a call is done once when the container host comes back soon', async () => {
  const { attempt, result } = await ask('patient');
  await expect(attempt()).rejects.toThrow('The container host does not answer');
  await new Promise<void>((resolve) => {
    // As with Docker's own socket, each side may go on writing after the other has closed its end.
    createServer({ allowHalfOpen: true }, (one) => {
      const other = connect({ path: docker, allowHalfOpen: true });
      one.on('error', () => other.destroy()).pipe(other);
      other.on('error', () => one.destroy()).pipe(one);
    })
      .listen(socket, resolve)
      .unref();
  });
  expect(await attempt()).toMatchObject({ failed: false });
  expect(await attempt()).toMatchObject({ failed: false });
  expect(await result()).toBe('ran\n[exit code 0]');
});

test('a chat whose sandbox has more on disk than its share is told so, with a way on', async () => {
  const excess = new SandboxError(
    'QuotaExceeded',
    'Sandbox c was stopped: it uses 11.0 GiB of disk, its share is 10.0 GiB.',
  );
  const sandboxes = { find: () => Promise.reject(excess) };
  const dependencies = {
    database,
    sandboxes,
    agents: { chat: { network: 'none', fetch: [] }, permissions: { rules: [] } },
  };
  const { attempt, result } = await ask('full', createRunTool(dependencies as unknown as Dependencies));
  expect(await attempt()).toMatchObject({ failed: true });
  expect(await result()).toMatch(/^Sandbox c was stopped: it uses 11\.0 GiB[\s\S]*`longhaul chats delete`/);
});
