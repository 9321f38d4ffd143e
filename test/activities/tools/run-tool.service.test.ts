import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createRunTool, maxTriesInChat } from '../../../activities/tools/run-tool.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { beginExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { createSandboxes } from '../../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../../sandbox/docker/host/connect-docker.ts';
import { SandboxError } from '../../../sandbox/errors.ts';
import { createTestSandboxes, testImage } from '../../sandbox/test-sandboxes.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';
import { unwatched } from '../../support/work/unwatched.ts';

const { database } = await databaseOfFile();

/** A chat that has begun to answer a message; returns the run that answers it. */
async function beginChat(id: string): Promise<{ runId: string; turn: number }> {
  await createChat(database, { id, name: id });
  await keepExchange(database, { chatId: id, id: 'x', text: 'Build it.' });
  const begun = await beginExchange(database, { chatId: id, id: 'x' }, { instructions: 'You chat.', model: 'm' });
  return { runId: begun?.runId ?? '', turn: begun?.turn ?? 1 };
}

/** The first call of a chat's turn, whose result is the message of that number. */
function callIn(chatId: string, run: { runId: string; turn: number }, messageNumber: number) {
  const owner = { kind: 'chat' as const, id: chatId };
  return { owner, role: 'chat' as const, maxTurns: 15, position: 0, ...run, messageNumber };
}

describe('read_output', () => {
  const host = createTestSandboxes();
  const chatId = `chat-${host.stack}`;
  const runTool = createRunTool({
    ...unwatched,
    database,
    sandboxes: host.sandboxes,
    defaultImage: testImage,
    agents: { chat: { network: 'none' }, permissions: { rules: [] } },
  } as unknown as Dependencies); // no other dependency is used
  let begun: { runId: string; turn: number };
  let next = 2;

  beforeAll(async () => {
    begun = await beginChat(chatId);
  });
  afterAll(async () => {
    await host.closeAll();
    for (const { name } of await host.sandboxes.listKept()) await host.sandboxes.close(name);
  });

  /** One turn of one call; returns the number of its result, the result as the model reads it, and what the workflow learns. */
  async function call(tool: string, input: object, remark?: string) {
    const { runId } = begun;
    const turn = begun.turn++;
    const number = next;
    next += 2;
    const toolCalls = [{ id: `call-${number}`, name: tool, arguments: JSON.stringify(input) }];
    await insertMessage(database, { runId, number, turn, role: 'assistant', content: { text: '', toolCalls } });
    const one = callIn(chatId, { runId, turn }, number + 1);
    const summary = await inActivity(() => runTool({ ...one, ...(remark && { remark }) }));
    return { number: number + 1, text: (await readMessages(database, runId))[number + 1]?.content.text ?? '', summary };
  }

  const read = (input: object) => call('read_output', input);

  test('the middle of long output can be read without cutting a character', async () => {
    const command = 'echo first; yes é | head -c 59999; echo needle; yes ü | head -c 60000';
    const long = await call('run_command', { command }, '[3 of your 15 turns are left.]');
    expect(long.text).toMatch(
      /^first\n[\s\S]*bytes omitted[\s\S]*ü\n\[exit code 0\]\n\n\[The full output has 120012 bytes\. /,
    );
    expect(long.text).toContain(
      `read_output with message ${long.number} shows any part of it.]\n\n[3 of your 15 turns are left.]`,
    );
    // Both ends of the part lie within a character.
    const middle = await read({ message: long.number, offset: 59_998, limit: 18 });
    expect(middle.text).toBe('\né\néneedle\nü\n\n[bytes 59999 to 60015 of 120012]');
    expect((await read({ message: long.number })).text).toMatch(/^first\né\n[\s\S]*\[bytes 0 to 9999 of 120012\]$/);
    expect(await read({ message: long.number, offset: 120_012 })).toMatchObject({
      text: `Result ${long.number} has 120012 bytes; 120012 is beyond its end.`,
      summary: { failed: true },
    });
  });

  test('the same long output counts as the same for loop detection', async () => {
    const flood = () => call('run_command', { command: 'yes | head -c 50000' });
    const [first, second] = [await flood(), await flood()];
    expect(first.text).not.toBe(second.text);
    expect(second.summary.resultHash).toBe(first.summary.resultHash);
  });

  test('output whose sandbox is gone is shown as incomplete', async () => {
    const long = await call('run_command', { command: 'echo first; yes | head -c 50000' });
    await host.sandboxes.close(chatId);
    const { text } = await read({ message: long.number, limit: 100 });
    expect(text).toMatch(/^first\ny\n[\s\S]*\[characters 0 to 100 of \d+\]\n\[The full output is gone; /);
  });

  test('complete output is not announced as longer', async () => {
    const short = await call('run_command', { command: 'echo all' });
    expect(short.text).toBe('all\n[exit code 0]');
    expect((await read({ message: short.number })).text).toBe('all\n[exit code 0]');
  });
});

describe('a container host that is away', () => {
  const host = createTestSandboxes();
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-host-away-'));
  const socket = join(folder, 'docker.sock');
  const docker = (process.env.DOCKER_HOST ?? '/var/run/docker.sock').replace('unix://', '');
  const runTool = createRunTool(
    {
      ...unwatched,
      database,
      sandboxes: createSandboxes({ docker: connectDocker(`unix://${socket}`), stack: host.stack }),
      defaultImage: testImage,
      agents: { chat: { network: 'none' }, permissions: { rules: [] } },
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
    const { runId, turn } = await beginChat(chatId);
    const toolCalls = [{ id: 'call', name: 'run_command', arguments: '{"command": "echo ran >>runs; cat runs"}' }];
    await insertMessage(database, { runId, number: 2, turn, role: 'assistant', content: { text: '', toolCalls } });
    const call = callIn(chatId, { runId, turn }, 3);
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
      ...unwatched,
      database,
      sandboxes,
      agents: { chat: { network: 'none' }, permissions: { rules: [] } },
    };
    const { attempt, result } = await ask('full', createRunTool(dependencies as unknown as Dependencies));
    expect(await attempt()).toMatchObject({ failed: true });
    expect(await result()).toMatch(/^Sandbox c was stopped: it uses 11\.0 GiB[\s\S]*`longhaul chats delete`/);
  });
});
