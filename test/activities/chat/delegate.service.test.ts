import { beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { createDelegateActivities } from '../../../activities/chat/delegate.ts';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createDelegationTools } from '../../../activities/tools/kinds/delegation-tools.ts';
import { createMadeTools } from '../../../activities/tools/made-tools/made-tools.ts';
import { offeredTools } from '../../../agents/agent-definition.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import { readAnyTranscript } from '../../../client/project/read-transcript.ts';
import { createChat, setChatAgent } from '../../../db/chats/chats.ts';
import { beginExchange, endExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { addMadeTool } from '../../../db/made-tools/made-tools.ts';
import { runs } from '../../../db/schema/runs.ts';
import { findRun, writeMessage } from '../../../db/transcript/transcript.ts';
import { sumUsage } from '../../../db/usage/sum-usage.ts';
import type { ChatAgent } from '../../../domain/project/settings.ts';
import { delegateRunId } from '../../../domain/run/delegation.ts';
import type { MessageContent } from '../../../domain/run/message.ts';
import { addUp, slugify } from '../../sandbox/made-tools/sample-tools.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const chatId = 'chat-a';
const owner = { kind: 'chat' as const, id: chatId };
const parentRunId = 'chat-a-r1';
const postgres = await databaseOfFile();
let activities: ReturnType<typeof createDelegateActivities>;
let tools: ReturnType<typeof createDelegationTools>;
let madeTools: ReturnType<typeof createMadeTools>;

beforeAll(async () => {
  await createChat(postgres.database, { id: chatId, name: 'a' });
  const dependencies = {
    database: postgres.database,
    prompts: loadPrompts('/nowhere'),
    modelOf: (role: string) => `test/${role}`,
    skillsFolder: '/nowhere',
    agents: {
      maxTurns: {},
      stuck: { sameCalls: 4 },
      chat: { toolCalls: 31, tokens: 100_000 },
    },
  } as unknown as Dependencies; // of the rest nothing is asked
  activities = createDelegateActivities(dependencies);
  tools = createDelegationTools(dependencies);
  madeTools = createMadeTools(dependencies);
});

/** A message that is answered by one call, which delegates. */
async function ask(
  message: string,
  toolArguments: string,
  { agent = null, madeTools: offered = [] }: { agent?: ChatAgent | null; madeTools?: string[] } = {},
) {
  const { database } = postgres;
  await keepExchange(database, { chatId, id: message, text: message });
  const start = { instructions: 'Help.', model: 'test/chat', given: { madeTools: offered, agent } };
  const begun = await beginExchange(database, { chatId, id: message }, start);
  if (!begun) throw new Error('Expected the message to be begun.');
  const { turn } = begun;
  const answerNumber = turn * 10;
  const toolCalls = [{ id: `${message}-0`, name: 'delegate_code_task', arguments: toolArguments }];
  await writeMessage(database, {
    runId: parentRunId,
    number: answerNumber,
    turn,
    role: 'assistant',
    content: { text: '', toolCalls },
  });
  await database.update(runs).set({ turns: turn }).where(eq(runs.id, parentRunId));
  return (position = 0, runId = delegateRunId(`${parentRunId}.${turn}.${position}`)) => ({
    chatId,
    parentRunId,
    runId,
    role: 'code' as const,
    answerNumber,
    position: 0,
  });
}

function resultOf(runId: string) {
  const { signal } = new AbortController();
  const run = { owner: { kind: 'chat' as const, id: chatId }, runId: parentRunId, role: 'chat' as const, maxTurns: 15 };
  const context = { run, id: runId.replace(/-work$/, ''), cancel: signal, detach: signal };
  return tools.delegate_code_task({ task: 'x' }, context);
}

test('a delegate has its own transcript and limits, and starts once', async () => {
  const delegation = await ask('one', '{"task": "Sort it with {{care}}."}');
  const request = delegation();
  const origin = {
    of: 'task',
    modelCalls: 'half of `maxTurns.chat`',
    toolCalls: 'half of `chat.toolCalls`',
    tokens: 'half of `chat.tokens`',
  };
  const limits = { modelCalls: 7, toolCalls: 15, tokens: 50_000, stuck: { sameCalls: 4 }, origin };
  expect(await activities.startDelegate(request)).toEqual(limits);
  expect(await activities.startDelegate(request)).toEqual(limits);
  const { runId } = request;
  expect(await findRun(postgres.database, runId)).toMatchObject({
    parentId: parentRunId,
    rootId: parentRunId,
    depth: 1,
    role: 'code',
    model: 'test/code',
    status: 'RUNNING',
  });
  const said = { runId, number: 2, turn: 1, role: 'assistant' as const, content: { text: 'It is sorted.' } };
  await writeMessage(postgres.database, said);
  await activities.endDelegate({ chatId, runId, status: 'ANSWERED' });
  await activities.endDelegate({ chatId, runId, status: 'FAILED', reason: 'too late' });
  expect(await activities.startDelegate(request)).toBeNull();
  expect(await resultOf(runId)).toMatchObject({
    failed: false,
    text: `It is sorted.\n\n[Its transcript, for the person: longhaul transcript ${runId}]`,
  });
  const { messages } = await readAnyTranscript(postgres.database, runId);
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
  expect(messages[1]?.content.text).toMatch(
    /^Sort it with {{care}}\.\n\n\[It is \w{3} \d{4}-\d\d-\d\d \d\d:\d\d .+\.\]$/,
  );
  await expect(readAnyTranscript(postgres.database, 'chat-none')).rejects.toThrow(
    'No run and no conversation is called',
  );
  expect(await sumUsage(postgres.database, { chatId })).toMatchObject({ turns: 0 });
  await endExchange(postgres.database, { chatId, id: 'one', status: 'ANSWERED' });
});

test('findings before a limit are kept and marked as incomplete', async () => {
  const { runId, ...request } = (await ask('two', '{"task": "Look."}'))();
  await activities.startDelegate({ ...request, runId });
  const say = (number: number, content: MessageContent) =>
    writeMessage(postgres.database, { runId, number, turn: number - 1, role: 'assistant', content });
  await say(2, { text: 'A guess.' });
  await say(3, { text: 'Half o', cutOff: true });
  await say(4, { text: 'f it.' });
  await say(5, { text: ' \n', toolCalls: [{ id: 'left', name: 'list_files', arguments: '{}' }] });
  await activities.endDelegate({ chatId, runId, status: 'LIMITED', reason: 'It has had its 7 model calls.' });
  const { messages } = await readAnyTranscript(postgres.database, runId);
  expect(messages.at(-1)).toMatchObject({
    number: 6,
    role: 'tool',
    content: { toolCallId: 'left', text: 'Not executed. It has had its 7 model calls.' },
  });
  expect(await resultOf(runId)).toMatchObject({
    failed: true,
    text: expect.stringMatching(/^Half of it\.\n\nIt has had its 7 model calls\.\n\n\[It did not finish\./),
  });
  await endExchange(postgres.database, { chatId, id: 'two', status: 'ANSWERED' });
});

test('what the tools of a delegate found is handed over if it did not put it into words', async () => {
  const { runId, ...request } = (await ask('three', '{"task": "Look it up."}'))();
  await activities.startDelegate({ ...request, runId });
  const write = (number: number, role: 'assistant' | 'tool', content: MessageContent) =>
    writeMessage(postgres.database, { runId, number, turn: 1, role, content });
  const call = { id: 'c', name: 'search_memory', arguments: '{}' };
  await write(2, 'assistant', { text: 'I look.', toolCalls: [call] });
  await write(3, 'tool', { text: 'Ada was born in 1815.', toolCallId: 'c' });
  await write(4, 'assistant', { text: '', toolCalls: [call] });
  await write(5, 'tool', { text: `She died in 1852. ${'x'.repeat(2_000)}`, toolCallId: 'c' });
  await activities.endDelegate({ chatId, runId, status: 'LIMITED', reason: 'The task reached its limit.' });
  const { text } = await resultOf(runId);
  expect(text).toMatch(
    /^I look\.\n\n<material from="what the tools[^>]*">\nShe died in 1852\. x{1482}…\n\nAda was born in 1815\./,
  );
  expect(text).toContain('The task reached its limit.');
  await endExchange(postgres.database, { chatId, id: 'three', status: 'ANSWERED' });
});

test('a call with invalid arguments starts no run', async () => {
  const delegation = await ask('four', 'no JSON');
  expect(await activities.startDelegate(delegation())).toBeNull();
  await endExchange(postgres.database, { chatId, id: 'four', status: 'ANSWERED' });
});

const planner: ChatAgent = {
  name: 'planner',
  folder: '/nowhere',
  hash: 'one',
  instructions: 'Plan.',
  tools: ['search_memory'],
  limits: {},
  madeTools: [],
};

test('an agent without the delegation tool cannot delegate', async () => {
  const delegation = await ask('five', '{"task": "Read my keys."}', { agent: planner });
  expect(await activities.startDelegate(delegation())).toBeNull();
  expect(await findRun(postgres.database, delegation().runId)).toBeUndefined();
  await endExchange(postgres.database, { chatId, id: 'five', status: 'ANSWERED' });
});

test("delegations beyond an answer's call limit do not start", async () => {
  const delegation = await ask('six', '{"task": "Again."}');
  expect(await activities.startDelegate({ ...delegation(), position: 32 })).toBeNull();
  await endExchange(postgres.database, { chatId, id: 'six', status: 'ANSWERED' });
});

test('a delegate has no more tools and calls than the agent that delegates', async () => {
  const limits = { modelCalls: 4, toolCalls: 6, tokens: 20_000 };
  const agent = { ...planner, tools: ['delegate_code_task', 'read_file', 'search_files'], limits };
  await setChatAgent(postgres.database, chatId, agent);
  const delegation = (await ask('seven', '{"task": "Look."}', { agent }))();
  expect(await activities.startDelegate(delegation)).toMatchObject({
    ...{ modelCalls: 2, toolCalls: 3, tokens: 10_000 },
    origin: { toolCalls: 'half of `limits.toolCalls` of the agent planner' },
  });
  const { runId, role } = delegation;
  const { given } = await madeTools.givenTo(runId, offeredTools({ owner, role }, {}));
  expect([...given].sort()).toEqual(['read_file', 'search_files']);
  const instructions = expect.stringContaining('You have 2 model calls');
  expect(await findRun(postgres.database, runId)).toMatchObject({ agent: { name: 'planner', instructions } });
  await endExchange(postgres.database, { chatId, id: 'seven', status: 'ANSWERED' });
});

test('a delegate has the made tools of its chat, and no others', async () => {
  const { database } = postgres;
  for (const tool of [slugify, addUp]) {
    await addMadeTool(database, { id: tool.name, tool, author: 'person', newVersion: false });
  }
  const offered = [slugify.name, addUp.name];
  const madeFor = async (message: string, agent: ChatAgent | null) => {
    const delegation = (await ask(message, '{"task": "Look."}', { agent, madeTools: offered }))();
    expect(await activities.startDelegate(delegation)).not.toBeNull();
    const { runId, role } = delegation;
    const { made } = await madeTools.givenTo(runId, offeredTools({ owner, role }, {}));
    await endExchange(database, { chatId, id: message, status: 'ANSWERED' });
    return made.map(({ name }) => name);
  };
  expect(await madeFor('eight', null)).toEqual(offered);
  const tools = ['delegate_code_task', 'read_file', addUp.name];
  expect(await madeFor('nine', { ...planner, tools })).toEqual([addUp.name]);
});
