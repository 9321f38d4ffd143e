import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { isChatCommand, runChatCommand } from '../../../cli/chat/chat-commands.ts';
import type { ConversationControl } from '../../../cli/chats/conversation-control.ts';
import { createChatHandle } from '../../../client/chat/create-chat-handle.ts';
import { loadConfiguration } from '../../../config/load-configuration.ts';
import { createChat, setChatAgent } from '../../../db/chats/chats.ts';
import { addMadeTool, addToolOfAgent, setMadeToolEnabled } from '../../../db/made-tools/made-tools.ts';
import type { ChatAgent } from '../../../domain/project/settings.ts';
import { slugify } from '../../sandbox/made-tools/sample-tools.ts';
import { homeOfFile } from '../../support/servers/home-of-file.ts';

const postgres = await homeOfFile();
beforeAll(async () => {
  const { database } = postgres;
  for (const name of ['slugify', 'other', 'off']) {
    await addMadeTool(database, { id: name, tool: { ...slugify, name }, author: 'person', newVersion: false });
  }
  await setMadeToolEnabled(database, 'off', false);
  const own = { ...slugify, description: 'The one of its folder.' };
  await addToolOfAgent(database, { id: 'own', tool: own, author: 'planner' });
});

/** What a command prints in a chat of this agent, with these settings in the file. */
async function printedBy(
  command: string,
  {
    agent,
    model,
    memory = true,
    columns = 1_000,
    settings = {},
    environment = {},
    changes = {},
  }: {
    agent?: ChatAgent;
    model?: string;
    memory?: boolean;
    columns?: number;
    settings?: object;
    environment?: Record<string, string>;
    changes?: object;
  },
): Promise<string[]> {
  const { database } = postgres;
  const name = `chat-${crypto.randomUUID()}`;
  const row = await createChat(database, { id: name, name, memory, ...(model !== undefined && { model }) });
  const access = { use: <Result>(work: (query: typeof database) => Promise<Result>) => work(database) };
  const home = mkdtempSync(join(postgres.home, 'settings-'));
  writeFileSync(join(home, 'longhaul.config.ts'), `export default ${JSON.stringify(settings)};\n`);
  const dependencies = {
    database: access,
    settings: () =>
      loadConfiguration({ ...environment, LONGHAUL_HOME: home }, () => import('../../../models/index.ts')),
  };
  const chat = createChatHandle(dependencies as unknown as Parameters<typeof createChatHandle>[0], { row }); // of the rest nothing is asked
  if (agent) await setChatAgent(database, name, agent);
  const printed: string[] = [];
  const control = {
    chat: () => chat,
    ownCommands: () => ({ commands: new Map(), problems: [] }),
    print: (text: string) => printed.push(text),
    width: () => columns,
    ...changes,
  };
  await runChatCommand(control as unknown as ConversationControl, command); // it asks for nothing else
  return printed.join('\n').split('\n');
}

test('/new keeps the chosen model', async () => {
  const chosen: unknown[] = [];
  const next = { setAgent: async () => {}, setModel: async (model: unknown) => chosen.push(model) };
  const longhaul = { chat: async () => next };
  const changes = { longhaul, change: async () => {} };
  await printedBy('/new', { model: 'openai/gpt-5', changes });
  await printedBy('/new', { changes });
  expect(chosen).toEqual(['openai/gpt-5', null]);
});

const toolsOf = (agent?: ChatAgent, { search, memory = true }: { search?: string; memory?: boolean } = {}) =>
  printedBy('/tools', { ...(agent && { agent }), memory, environment: search ? { LONGHAUL_SEARCH: search } : {} });

const namesIn = (lines: string[]) => lines.map((line) => line.split(' ')[0]);

test('/tools lists the tools that the settings allow', async () => {
  const lines = await toolsOf();
  const names = namesIn(lines);
  expect(names).toEqual(
    expect.arrayContaining([
      'search_memory',
      'execute_code',
      'delegate_code_task',
      'create_long_running_project',
      'update_feature_status',
      'fetch_url',
      'slugify',
      'other',
    ]),
  );
  expect(names).not.toContain('search_web');
  expect(names).not.toContain('off');
  expect(namesIn(await toolsOf(undefined, { search: 'http://127.0.0.1:1' })).sort()).toEqual(
    [...names, 'search_web'].sort(),
  );
  expect(lines).toContain(
    'run_command                  Runs a bash command in the workspace and returns its output and exit code.',
  );
  expect(namesIn(await toolsOf(undefined, { memory: false }))).not.toContain('write_memory');
});

const planner: ChatAgent = {
  name: 'planner',
  folder: '/nowhere',
  hash: 'one',
  instructions: 'Plan.',
  limits: {},
  madeTools: ['own'],
};

test("/tools lists the tools of the conversation's own agent", async () => {
  const limited = await toolsOf({ ...planner, tools: ['search_memory', 'other'] });
  expect(limited).toEqual([
    expect.stringMatching(/^search_memory /),
    'slugify        The one of its folder.',
    expect.stringMatching(/^other /),
  ]);
  expect(namesIn(await toolsOf({ ...planner, tools: ['generate_tool'] }))).toEqual([
    'generate_tool',
    'slugify',
    'other',
  ]);
  expect(await toolsOf({ ...planner, madeTools: [], tools: [] })).toEqual(['This agent has no tools.']);
});

test('/model shows the model of the next message', async () => {
  const settings = { models: { chat: 'openai/of-the-file' } };
  expect(await printedBy('/model', { settings })).toEqual([
    expect.stringContaining('The model is openai/of-the-file.'),
  ]);
  const agent = { ...planner, model: 'openai/of-the-agent' };
  expect(await printedBy('/model', { settings, agent })).toEqual([
    expect.stringContaining('The model is openai/of-the-agent.'),
  ]);
  const model = 'openai/chosen,openai/second';
  expect(await printedBy('/model', { settings, agent, model })).toEqual([
    expect.stringContaining(`The model is ${model}.`),
  ]);
});

test('/help wraps between words', async () => {
  for (const line of await printedBy('/help', { columns: 60 })) expect(line.length).toBeLessThanOrEqual(60);
});

const ownCommands = () => ({
  commands: new Map([
    ['review', { name: 'review', description: 'Looks it over.', path: '/c/review.md', text: 'Review $1.' }],
    ['ship', { name: 'ship', path: '/c/ship.md', text: 'Ship it.' }],
  ]),
  problems: ['/c/help.md cannot be used.'],
});

test("a person's own command sends its text with the words, and /help lists it with what is wrong", async () => {
  const said: string[] = [];
  const changes = { ownCommands, say: async (text: string) => said.push(text) };
  await printedBy('/review main.ts', { changes });
  await printedBy('/ship', { changes });
  expect(said).toEqual(['Review main.ts.', 'Ship it.']);
  const lines = (await printedBy('/help', { changes })).map((line) => line.replace(/ {2,}/, ' '));
  expect(lines).toEqual(
    expect.arrayContaining(['/review Looks it over.', '/ship send /c/ship.md', '/c/help.md cannot be used.']),
  );
  expect(await printedBy('/other', { changes })).toEqual([expect.stringContaining('There is no command /other.')]);
});

test.each([
  ['/help', true],
  ['/review this\nand that', true],
  ['/other this\nand that', false],
  ['/now Stop\nand look.', true],
  ['/hlep', true], // it is refused, and not said to a model
  ['/', true],
  ['/help\n', true],
  ['// a comment', false],
  ['/** A comment.\n */', false],
  ['/etc/nginx.conf: what is it?', false],
  ['/usr\n/var', false],
  ['Help', false],
])('a message that looks like a command is told apart from one: %j', (text, meant) => {
  expect(isChatCommand(text, ownCommands())).toBe(meant);
});
