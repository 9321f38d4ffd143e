import { expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createPermitCall } from '../../../activities/tools/permit-call.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { beginExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { answerChatRequest, readInbox } from '../../../db/requests/requests.ts';
import { insertToolCall } from '../../../db/transcript/transcript.ts';
import { parseRules } from '../../../domain/permissions/parse-rules.ts';
import type { RequestSettings } from '../../../domain/permissions/request.ts';
import type { RuleTexts } from '../../../domain/permissions/rule.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
let chats = 0;

/** Judges calls of a new chat. */
async function newChat(rules: RuleTexts = {}, requests: RequestSettings = { defaultAnswer: 'no' }) {
  chats += 1;
  const chatId = `chat-${chats}`;
  await createChat(database, { id: chatId, name: chatId });
  await keepExchange(database, { chatId, id: 'one', text: 'one' });
  await beginExchange(database, { chatId, id: 'one' }, { instructions: 'You chat.', model: 'm' });
  const permissions = { rules: parseRules(rules, 'settings'), requests };
  const permit = createPermitCall({ database, agents: { permissions } as unknown as Dependencies['agents'] });
  const run = { owner: { kind: 'chat', id: chatId }, runId: `${chatId}-r1`, role: 'chat', maxTurns: 15 } as const;
  let calls = 0;
  return {
    call(tool: string, given: object = {}) {
      calls += 1;
      return permit(run, `${run.runId}.${calls}.0`, { tool, arguments: given });
    },
    async waiting() {
      return (await readInbox(database)).filter((request) => request.chatId === chatId);
    },
    read: (name: string) =>
      insertToolCall(database, {
        ...{ runId: run.runId, turn: 1, position: 0, name, failed: false, resultHash: 'x' },
        ...{ startedAt: new Date(), endedAt: new Date() },
      }),
  };
}

test('a tool for all waits for a yes, which counts for one call', async () => {
  const chat = await newChat();
  expect(await chat.call('generate_tool', { name: 'a' })).toMatchObject({ failed: true });
  const [request] = await chat.waiting();
  expect(request).toMatchObject({ kind: 'call', rule: '`ask Tool(generate_tool)` by default' });
  await answerChatRequest(database, { id: request?.id ?? '', answer: 'yes' });
  expect(await chat.call('generate_tool', { name: 'a' })).toBeUndefined();
  expect(await chat.call('generate_tool', { name: 'a' })).toMatchObject({ failed: true });
});

test('a memory for all is asked for only once the agent has read pages or output of made tools', async () => {
  const chat = await newChat();
  expect(await chat.call('write_memory', { content: 'Ada drinks tea.' })).toBeUndefined();
  await chat.read('fetch_url');
  expect(await chat.call('write_memory', { content: 'Ada drinks tea.' })).toMatchObject({ failed: true });
  expect(await chat.waiting()).toMatchObject([{ rule: '`ask Tool(write_second_hand_memory)` by default' }]);
  expect(await chat.call('write_memory', { content: 'Ada drinks tea.', scope: 'session' })).toBeUndefined();
});

test('a rule of a person takes the place of what is asked for by default', async () => {
  const chat = await newChat({ allow: ['Tool(generate_tool)'], deny: ['Tool(write_*)'] });
  expect(await chat.call('generate_tool', { name: 'a' })).toBeUndefined();
  expect(await chat.call('write_memory', { content: 'Tea.' })).toMatchObject({ failed: true });
  expect(await chat.waiting()).toEqual([]);
});

test('after the deadline the default answer counts in a chat too', async () => {
  const yes = await newChat({}, { deadlineHours: 1e-9, defaultAnswer: 'yes' });
  expect(await yes.call('create_long_running_project', { goal: 'x' })).toMatchObject({ failed: true });
  expect(await yes.call('create_long_running_project', { goal: 'x' })).toBeUndefined();
  const no = await newChat({}, { deadlineHours: 1e-9, defaultAnswer: 'no' });
  await no.call('create_long_running_project', { goal: 'x' });
  expect(await no.call('create_long_running_project', { goal: 'x' })).toMatchObject({
    text: expect.stringContaining('refused'),
  });
  const later = await newChat({}, { deadlineHours: 1, defaultAnswer: 'yes' });
  await later.call('create_long_running_project', { goal: 'x' });
  expect(await later.call('create_long_running_project', { goal: 'x' })).toMatchObject({
    display: expect.stringContaining('waits'),
  });
});
