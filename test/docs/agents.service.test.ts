import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import type { RunHandle } from '../../client/agent-runs/run-handle.ts';
import * as library from '../../runtime/index.ts';
import { type Agent, type AgentLonghaul, createLonghaul, defineAgent, defineTool } from '../../runtime/index.ts';
import { blockWith, readBlocks, runBlock } from '../support/document-blocks.ts';
import { nodeCommands } from '../support/stack/node-commands.ts';
import { call } from '../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../support/stack/service-stack.ts';
import { waitFor } from '../support/wait-for.ts';

const entries = [
  { after: 'Is it cold in Oslo?', turns: [call('temperature', { city: 'Oslo' }), { text: 'Yes.', expect: ['-3'] }] },
  { after: 'Oslo, please', turns: [call('submit_result', { city: 'Oslo', celsius: -3 })] },
  { after: 'Sum up:\nSnow everywhere', turns: [{ text: 'Snow.' }] },
  {
    after: 'Pay invoice 7',
    turns: [call('pay', { invoice: '7', amount: 12 }), { text: 'Paid.', expect: ['sent 12 for 7'] }],
  },
  {
    after: 'What does notes.txt say?',
    turns: [call('read_local_file', { path: 'notes.txt' }), { text: 'Milk.', expect: ['Buy milk'] }],
  },
  {
    after: 'Plan my trip',
    turns: [
      {
        calls: [
          { tool: 'ask_weather', arguments: { message: 'Is it cold in Oslo?' } },
          { tool: 'ask_prices', arguments: { from: 'Bergen', to: 'Oslo' } },
        ],
      },
      { ...call('hand_off_to_booking', { message: 'Book it' }), expect: ['Yes.', '{"euros":80}'] },
    ],
  },
  { after: 'How cold is it in Oslo?', turns: [{ text: 'Minus three.' }] },
  {
    after: 'Count the words',
    turns: [
      call('write_file', { path: 'a.txt', content: 'a b' }),
      call('count_words', { text: 'a b' }),
      { text: 'Two.', expect: ['"words":2'] },
    ],
  },
  {
    after: 'The cheapest shop?',
    turns: [
      call('run_program', {
        code: `const shops = ['a', 'b'];
          const all = await Promise.all(shops.map((shop) => price({ shop }))); return Math.min(...all);`,
      }),
      { text: 'b.', expect: ['2'] },
    ],
  },
].map((entry) => ({ role: 'agent', ...entry }));

/** What the page's blocks may use without an import, and what those before have defined. */
const names: Record<string, unknown> = { z, readFile: async () => 'Buy milk' };
const pages = new Map<string, string[]>();
const printed: unknown[][] = [];
let stack: ServiceStack;
let longhaul: AgentLonghaul;

/** Runs the block of the page with these words; what it defines is there for the blocks after it. */
async function runBlockOf(page: string, words: string, more: Record<string, unknown> = {}) {
  const { environment } = stack;
  const here = {
    ...library,
    createLonghaul: (options: object) => library.createLonghaul({ environment, ...options }),
    connectLonghaul: (options: object) => library.connectLonghaul({ environment, ...options }),
  };
  const code = blockWith(pages.get(page) ?? [], words);
  return runBlock(code, { ...names, ...more }, { longhaul: here, zod: { z } });
}

async function define(words: string, more?: Record<string, unknown>): Promise<void> {
  const { default: main, ...defined } = await runBlockOf('agents.md', words, more);
  Object.assign(names, here(), defined, main ? { [(main as Agent).key]: main } : {});
}

const here = () => ({ defineAgent, defineTool, longhaul: stack.longhaul });

beforeAll(async () => {
  for (const page of ['agents.md', 'coming-from-python.md', 'stores.md', 'tracing.md']) {
    pages.set(page, await readBlocks(page));
  }
  stack = await startServiceStack({
    ...{ script: { entries }, commands: [nodeCommands] },
    environment: ({ url }) => ({ ANTHROPIC_API_KEY: 'scripted-model', ANTHROPIC_BASE_URL: url.replace(/\/v1$/, '') }),
  });
  Object.assign(names, here());
  const answers: Record<string, string> = { Oslo: '{"celsius":-3}', news: 'Snow everywhere' };
  names.fetch = async (url: string) => new Response(answers[url.split('/').at(-1) ?? '']);
  names.send = (invoice: string, amount: number) => `sent ${amount} for ${invoice}`;
  const prices = defineAgent({ key: 'prices', run: async () => ({ finalOutput: { euros: 80 } }) });
  const booking = defineAgent({ key: 'booking', run: async () => ({ finalOutput: 'Booked.' }) });
  const price = defineTool({
    ...{ name: 'price', description: 'A price.', parameters: z.object({ shop: z.enum(['a', 'b']) }) },
    run: ({ shop }) => ({ a: 3, b: 2 })[shop],
  });
  Object.assign(names, { prices, booking, price });
  await define('// agents/weather/agent.ts');
  for (const words of [
    "key: 'report'",
    "key: 'digest'",
    "name: 'pay'",
    "key: 'reader'",
    "key: 'guide'",
    "key: 'worker'",
  ])
    await define(words);
  await define("key: 'shopper'");
  const asker = defineAgent({
    key: 'asker',
    agents: [names.weather as Agent],
    run: async (context) => ({
      finalOutput: (await runBlockOf('agents.md', 'await context.run(', { context })).output,
    }),
  });
  const payer = defineAgent({ key: 'payer', instructions: 'You pay.', tools: [names.pay as never] });
  const hosted = ['digest', 'reader', 'guide', 'worker', 'shopper'].map((name) => names[name] as Agent);
  longhaul = await createLonghaul({ agents: [...hosted, asker, payer], environment: stack.environment });
  names.longhaul = longhaul;
});
afterAll(async () => {
  await longhaul?.close();
  await stack?.stop();
});
beforeEach(() => {
  printed.length = 0;
  jest.spyOn(console, 'log').mockImplementation((...words: unknown[]) => void printed.push(words));
});

test('a folder is the agent of a conversation', async () => {
  const folder = join(stack.home, 'travel-planner');
  await mkdir(folder);
  await writeFile(join(folder, 'agent.md'), '---\nname: travel-planner\n---\nYou plan travel.\n');
  const chat = await stack.longhaul.chat('trip');
  const setAgent = (name: string) => chat.setAgent(join(stack.home, name));
  const there = { chat: async () => ({ setAgent, agent: () => chat.agent() }) };
  await runBlockOf('agents.md', 'chat.setAgent(', { longhaul: there });
  expect(await chat.agent()).toMatchObject({ name: 'travel-planner' });
});

test('a program runs its agents, and a result is typed', async () => {
  await runBlockOf('agents.md', 'createLonghaul({ agents: [weather, report] })');
  expect(printed[0]).toEqual([-3]);
  expect(printed.slice(1).map(([, type]) => type)).toEqual(expect.arrayContaining(['run.started', 'run.succeeded']));
});

test.each([
  ['digest', 'The news', 'Snow.'],
  ['guide', 'Plan my trip', 'Booked.'],
  ['asker', 'Go', 'Minus three.'],
  ['worker', 'Count the words', 'Two.'],
  ['shopper', 'The cheapest shop?', 'b.'],
])('%s answers', async (key, input, output) => {
  expect((await longhaul.run(key, input)).output).toBe(output);
});

test('a person says yes to a call that asks for it', async () => {
  const run = await longhaul.start('payer', 'Pay invoice 7');
  const request = async () => (await stack.longhaul.inbox.list()).find(({ agentRunId }) => agentRunId === run.runId);
  await waitFor('the request', async () => (await request()) !== undefined);
  await stack.longhaul.inbox.answer({ id: (await request())?.id ?? '', answer: 'yes' });
  expect((await run.result()).output).toBe('Paid.');
});

test('a client that is attached makes the calls of its tools', async () => {
  const { run } = await runBlockOf('agents.md', 'run.provide(');
  expect((await (run as RunHandle).result()).output).toBe('Milk.');
});

test('who comes from Python has an agent of a few lines', async () => {
  const { result, longhaul: opened } = await runBlockOf('coming-from-python.md', "key: 'weather'");
  expect(result).toMatchObject({ output: 'You asked: Is it cold in Oslo?' });
  await (opened as AgentLonghaul).close();
});

test("stores of your own take the place of Longhaul's, in each of three ways", async () => {
  const { memory, audit, tasks } = library.createInMemoryStores();
  const made: unknown[] = [];
  const standIn = (store: object) =>
    function make(options: unknown) {
      made.push(options);
      return store;
    };
  const client = { redis: true };
  const { stores } = await runBlockOf('stores.md', 'createStores(', {
    ...{ client, RedisMemory: standIn(memory), JiraTasks: standIn(tasks), openAudit: async () => audit },
  });
  expect(made).toEqual([client, { project: 'OPS' }, client]);
  await (stores as library.Stores).memory.set('global', 'where', 'here');
  expect(await memory.get('global', 'where')).toMatchObject({ value: 'here' });
});

test('a store of your own is held to the contract', async () => {
  const { storeContracts } = await import('../../testing/index.ts');
  const cases: Array<() => Promise<void>> = [];
  const given = {
    RedisMemory: function make() {
      return library.createInMemoryStores().memory;
    },
    client: {},
  };
  const collect = (_title: string, run: () => Promise<void>) => cases.push(run);
  await runBlock(
    blockWith(pages.get('stores.md') ?? [], 'storeContracts'),
    { ...given, test: collect },
    { 'longhaul/testing': { storeContracts } },
  );
  expect(cases.length).toBeGreaterThan(5);
  for (const run of cases) await run();
});

test('a sink of your own is given the spans of this process', async () => {
  const traced = (await runBlockOf('tracing.md', 'onSpan(')).longhaul as library.Longhaul;
  await traced.run('digest', 'The news');
  await traced.close();
  expect(printed.map(([name]) => name)).toContain('StartWorkflow:agentRunWorkflow');
});
