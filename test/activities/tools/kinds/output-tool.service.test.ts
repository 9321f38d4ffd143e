import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../../activities/dependencies.ts';
import { createRunTool } from '../../../../activities/tools/run-tool.ts';
import { packageRoot } from '../../../../config/package-root.ts';
import { createChat } from '../../../../db/chats/chats.ts';
import { beginExchange, keepExchange } from '../../../../db/chats/exchanges.ts';
import { insertMessage, readMessages } from '../../../../db/transcript/transcript.ts';
import { imageTag } from '../../../../sandbox/image/image-tag.ts';
import { createTestSandboxes } from '../../../sandbox/test-sandboxes.ts';
import { databaseOfFile } from '../../../support/servers/test-database.ts';
import { inActivity } from '../../../support/work/in-activity.ts';

const { database } = await databaseOfFile();
const host = createTestSandboxes();
const chatId = `chat-${host.stack}`;
const runTool = createRunTool({
  database,
  sandboxes: host.sandboxes,
  defaultImage: process.env.SANDBOX_IMAGE || (await imageTag(packageRoot())),
  agents: { chat: { network: 'none', fetch: [] }, permissions: { rules: [] } },
} as unknown as Dependencies); // no other dependency is used
let begun: { runId: string; turn: number };
let next = 2;

beforeAll(async () => {
  await createChat(database, { id: chatId, name: 'long' });
  await keepExchange(database, { chatId, id: 'x', text: 'Build it.' });
  const { runId = '', turn = 1 } =
    (await beginExchange(database, { chatId, id: 'x' }, { instructions: 'You chat.', model: 'm' })) ?? {};
  begun = { runId, turn };
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
  const one = {
    owner: { kind: 'chat' as const, id: chatId },
    runId,
    role: 'chat' as const,
    maxTurns: 15,
    turn,
    position: 0,
    messageNumber: number + 1,
  };
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
