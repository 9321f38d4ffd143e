import { expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createRefuseRedirect } from '../../../activities/tools/judge-page-of.ts';
import { createPermitCall } from '../../../activities/tools/permit-call.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { beginExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { answerChatRequest, readInbox } from '../../../db/requests/requests.ts';
import { insertToolCall } from '../../../db/transcript/transcript.ts';
import { parseRules } from '../../../domain/permissions/parse-rules.ts';
import type { RequestSettings } from '../../../domain/permissions/request.ts';
import type { RuleTexts } from '../../../domain/permissions/rule.ts';
import type { SearchSettings } from '../../../domain/search-settings.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
let chats = 0;

/** Judges calls of a new chat. */
async function newChat(
  rules: RuleTexts = {},
  requests: RequestSettings = { defaultAnswer: 'no' },
  search?: SearchSettings,
) {
  chats += 1;
  const chatId = `chat-${chats}`;
  await createChat(database, { id: chatId, name: chatId });
  await keepExchange(database, { chatId, id: 'one', text: 'one' });
  await beginExchange(database, { chatId, id: 'one' }, { instructions: 'You chat.', model: 'm' });
  const permissions = { rules: parseRules(rules, 'settings'), requests };
  const agents = { permissions, chat: { network: 'packages' }, search } as unknown as Dependencies['agents'];
  const permit = createPermitCall({ database, agents });
  const refuseRedirect = createRefuseRedirect({ database, agents });
  const run = { owner: { kind: 'chat', id: chatId }, runId: `${chatId}-r1`, role: 'chat', maxTurns: 15 } as const;
  let calls = 0;
  return {
    call(tool: string, given: object = {}) {
      calls += 1;
      return permit(run, `${run.runId}.${calls}.0`, { tool, arguments: given });
    },
    redirect: (url: string) => refuseRedirect(run, permissions.rules, new URL(url)),
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
  expect(request).toMatchObject({ kind: 'call', rule: '`ask Tool(generate_tool)` of the default rules' });
  await answerChatRequest(database, { id: request?.id ?? '', answer: 'yes' });
  expect(await chat.call('generate_tool', { name: 'a' })).toBeUndefined();
  expect(await chat.call('generate_tool', { name: 'a' })).toMatchObject({ failed: true });
});

test('a memory for all is asked for only once the agent has read pages or output of made tools', async () => {
  const chat = await newChat();
  expect(await chat.call('write_memory', { content: 'Ada drinks tea.' })).toBeUndefined();
  await chat.read('fetch_url');
  expect(await chat.call('write_memory', { content: 'Ada drinks tea.' })).toMatchObject({ failed: true });
  expect(await chat.waiting()).toMatchObject([{ rule: '`ask Tool(write_second_hand_memory)` of the default rules' }]);
  expect(await chat.call('write_memory', { content: 'Ada drinks tea.', scope: 'session' })).toBeUndefined();
});

test('a host that no rule names is asked for once, and the yes counts for all of its pages in this chat', async () => {
  const chat = await newChat();
  const read = (url: string) => chat.call('fetch_url', { url });
  expect(await read('https://docs.python.org/3/')).toMatchObject({
    failed: true,
    text: expect.stringContaining('yes'),
  });
  expect(await read('https://docs.python.org/4/')).toMatchObject({ failed: true });
  expect(await chat.redirect('https://docs.python.org/5/')).toContain('Call fetch_url with https://docs.python.org/5/');
  const waiting = await chat.waiting();
  expect(waiting).toMatchObject([
    { rule: 'no rule allows the host', asked: 'May this chat read pages of docs.python.org?' },
  ]);
  await answerChatRequest(database, { id: waiting[0]?.id ?? '', answer: 'yes' });
  for (const page of ['3/', '4/']) expect(await read(`https://docs.python.org/${page}`)).toBeUndefined();
  expect(await chat.redirect('https://docs.python.org/5/')).toBeUndefined();
  expect(await read('https://evil.org/')).toMatchObject({ failed: true });
  const other = await newChat();
  expect(await other.call('fetch_url', { url: 'https://docs.python.org/3/' })).toMatchObject({ failed: true });
});

test('nobody is asked about a host that a rule names, that sandboxes reach, or that is refused in any case', async () => {
  const chat = await newChat({ allow: ['Network(docs.python.org)'], deny: ['Network(evil.org)'] });
  expect(await chat.call('fetch_url', { url: 'https://docs.python.org/3/' })).toBeUndefined();
  expect(await chat.call('fetch_url', { url: 'https://pypi.org/project/x' })).toBeUndefined();
  expect(await chat.call('fetch_url', { url: 'https://evil.org/' })).toMatchObject({
    text: expect.stringContaining('`deny Network(evil.org)`'),
  });
  expect(await chat.redirect('https://evil.org/')).toContain('`deny Network(evil.org)`');
  // The tool itself refuses it.
  expect(await chat.call('fetch_url', { url: 'http://169.254.169.254/latest' })).toBeUndefined();
  expect(await chat.waiting()).toEqual([]);
});

test('a host that a person refused stays refused', async () => {
  const chat = await newChat();
  await chat.call('fetch_url', { url: 'https://evil.org/' });
  const [request] = await chat.waiting();
  await answerChatRequest(database, { id: request?.id ?? '', answer: 'no', reason: 'Not that one.' });
  expect(await chat.call('fetch_url', { url: 'https://evil.org/a' })).toMatchObject({
    text: expect.stringContaining('Not that one.'),
  });
});

test('a search engine that a person set is asked without a question, unless a rule is against its host', async () => {
  const settings = { provider: 'searxng', address: 'http://search.example.org:8888' } as const;
  const search = async (rules: RuleTexts) =>
    (await newChat(rules, undefined, settings)).call('search_web', { query: 'tides' });
  expect(await search({})).toBeUndefined();
  expect(await search({ deny: ['Network(search.example.org)'] })).toMatchObject({ failed: true });
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
