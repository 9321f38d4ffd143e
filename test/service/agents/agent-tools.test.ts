import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { AgentError } from '../../../agents/runtime/agent-error.ts';
import { type Agent, defineAgent } from '../../../agents/runtime/definition/define-agent.ts';
import { defineTool } from '../../../agents/runtime/tools/define-tool.ts';
import type { RunHandle } from '../../../client/agent-runs/run-handle.ts';
import type { RunOptions } from '../../../client/agent-runs/run-options.ts';
import { connectDatabase } from '../../../db/connection/database.ts';
import { type AgentLonghaul, createLonghaul } from '../../../runtime/create-longhaul.ts';
import { nodeCommands } from '../../support/stack/node-commands.ts';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

/** What the tools of these agents did, by the run that they did it for. */
const paid: Array<{ runId: string; amount: number }> = [];

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  parameters: z.object({ amount: z.number() }),
  requiresConfirmation: true,
  hasSideEffects: true,
  run: ({ amount }, { runId }) => {
    paid.push({ runId, amount });
    return `paid ${amount}`;
  },
});

const buyer = defineAgent({ key: 'buyer', instructions: 'You buy.', tools: [pay] });
const codedBuyer = defineAgent({
  key: 'coded-buyer',
  tools: [pay],
  async run({ callTool }) {
    try {
      return { finalOutput: await callTool('pay', { amount: 7 }) };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      return { finalOutput: `${error.code}: ${error.message}` };
    }
  },
});

const readLocalFile = defineTool({
  name: 'read_local_file',
  description: 'Reads a file of the person.',
  parameters: z.object({ path: z.string(), encoding: z.string().default('utf8') }),
  on: 'client',
});
const print = defineTool({
  name: 'print',
  description: 'Prints.',
  parameters: z.object({ text: z.string() }),
  on: 'client',
  hasSideEffects: true,
});

const reader = defineAgent({ key: 'reader', instructions: 'You read.', tools: [readLocalFile, print] });
const codedReader = defineAgent({
  key: 'coded-reader',
  tools: [readLocalFile, print],
  run: async ({ callTool }) => ({ finalOutput: await callTool('read_local_file', { path: 'b.txt' }) }),
});

const weather = defineAgent({
  key: 'weather',
  description: 'Knows the weather.',
  instructions: 'You know the weather.',
  output: z.object({ celsius: z.number() }),
});
const asked = { started: 0 };
const doubler = defineAgent<{ number: number }>({
  key: 'doubler',
  async run({ params }) {
    asked.started += 1;
    return { finalOutput: { doubled: 2 * params.number } };
  },
});
const sleeper = defineAgent({
  key: 'sleeper',
  run: ({ signal }) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
});
const guide = defineAgent({
  key: 'guide',
  instructions: 'You guide.',
  agents: [
    weather,
    doubler.asTool({
      name: 'double',
      parameters: z.object({ number: z.number() }),
      output: z.object({ doubled: z.number().max(100) }),
    }),
    weather.asTool({ handOff: true, context: 'full' }),
    weather.asTool({ name: 'brief', context: 'summary' }),
    sleeper,
  ],
});
const codedGuide = defineAgent<{ wait: boolean }>({
  key: 'coded-guide',
  agents: [doubler, weather, sleeper],
  async run({ params, run, once }) {
    if (params.wait) await run(sleeper, 'wait');
    const { output } = await run<{ doubled: number }>('doubler', 'go', { params: { number: 4 } });
    const cold = await run(weather, 'How cold is Oslo?');
    await once('crash', async () => crash?.());
    return { finalOutput: [output.doubled, cold.output.celsius] };
  },
});
/** Ends the process of the coded guide, as a crash would. */
let crash: (() => Promise<void>) | undefined;

const wordCount = defineTool({
  name: 'count_words',
  description: 'Counts words.',
  parameters: z.object({ text: z.string() }),
  sandbox: true,
  run: ({ text }) => ({ words: text.split(' ').length, host: typeof process.env.LONGHAUL_HOME }),
});
const worker = defineAgent({
  key: 'worker',
  instructions: 'You work.',
  tools: ['run_command', 'write_file', 'read_file', wordCount],
});
const codedWorker = defineAgent({
  key: 'coded-worker',
  tools: ['write_file', 'read_file', wordCount],
  async run({ callTool }) {
    await callTool('write_file', { path: 'notes.txt', content: 'kept' });
    return {
      finalOutput: [
        await callTool('read_file', { path: 'notes.txt' }),
        await callTool('count_words', { text: 'a b c' }),
      ],
    };
  },
});

let added = 0;
const add = defineTool({
  name: 'add',
  description: 'Adds.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => {
    added += 1;
    return a + b;
  },
});
const programmer = defineAgent({
  key: 'programmer',
  instructions: 'You program.',
  tools: [add, pay],
  limits: { toolCalls: 7 },
  codeMode: true,
});

/** Ends once two calls have begun. */
const meet = defineTool({
  name: 'meet',
  description: 'Meets.',
  parameters: z.object({}),
  run: () =>
    new Promise<string>((resolve) => {
      meeting.push(() => resolve('met'));
      if (meeting.length === 2) for (const end of meeting) end();
    }),
});
const meeting: Array<() => void> = [];
const look = defineTool({ name: 'look', description: 'Looks.', parameters: z.object({}), run: () => 'seen' });
const asker = defineAgent({ key: 'asker', instructions: 'You ask.', tools: [meet, look] });

const patientReader = defineAgent({
  key: 'patient-reader',
  tools: [readLocalFile],
  async run({ callTool }) {
    const read = () => callTool('read_local_file', { path: 'b.txt' });
    return { finalOutput: await read().catch(read) };
  },
});

const ready = defineAgent({ key: 'ready', run: async () => ({ finalOutput: 'ready' }) });

let stack: ServiceStack;
let longhaul: AgentLonghaul;
const agents = [
  buyer,
  codedBuyer,
  reader,
  codedReader,
  guide,
  codedGuide,
  worker,
  codedWorker,
  programmer,
  asker,
  patientReader,
  ready,
];

/** A program that hosts the agents. */
async function host(): Promise<AgentLonghaul> {
  const program = await createLonghaul({ agents, environment: stack.environment });
  await program.run(ready, 'now'); // with the first run it begins to take runs
  return program;
}

/** Starts a run whose handle outlives the program that hosts its agent. */
async function start(agent: Agent, input: string, options?: RunOptions): Promise<RunHandle> {
  return stack.longhaul.runs.find((await longhaul.start(agent, input, options)).runId);
}

beforeAll(async () => {
  stack = await startServiceStack({
    commands: [nodeCommands],
    settings: `export default { permissions: { deny: ['Run(rm *)'], ask: ['Tool(look)'] } };`,
    script: {
      entries: [
        { role: 'summarizer', turns: [{ text: 'They plan a trip to Norway.' }] },
        {
          role: 'agent',
          after: 'Meet, then look',
          turns: [
            {
              calls: [
                { tool: 'meet', arguments: {} },
                { tool: 'meet', arguments: {} },
              ],
            },
            call('look'),
            { text: 'Looked.', expect: ['met', 'A person refused look'] },
          ],
        },
        {
          role: 'agent',
          after: 'Program it',
          turns: [
            call('run_program', {
              code: `console.log('adding');
                const sums = await Promise.all([1, 2, 3].map((n) => add({ a: n, b: n })));
                const bought = await pay({ amount: sums[0] });
                const wrong = await add({ a: 'one' }).catch((error) => error.message);
                return { sums, bought, wrong };`,
            }),
            { text: 'Programmed.', expect: ['"sums":[2,4,6]', 'paid 2', 'does not fit its schema', 'adding'] },
          ],
        },
        {
          role: 'agent',
          after: 'Add for ever',
          turns: [call('run_program', { code: 'for (let n = 0; ; n += 1) await add({ a: n, b: 0 });' })],
        },
        {
          role: 'agent',
          after: 'Add at once',
          turns: [
            call('run_program', { code: 'await Promise.all([...Array(30).keys()].map((a) => add({ a, b: 0 })));' }),
          ],
        },
        {
          role: 'agent',
          after: 'Work in the sandbox',
          turns: [
            call('write_file', { path: 'notes.txt', content: 'kept' }),
            {
              calls: [
                { tool: 'read_file', arguments: { path: 'notes.txt' } },
                { tool: 'count_words', arguments: { text: 'a b' } },
              ],
            },
            call('run_command', { command: 'rm -rf /tmp/x' }),
            { text: 'Worked.', expect: ['kept', '"words":2', 'Not allowed'] },
          ],
        },
        {
          role: 'agent',
          after: 'How cold is Oslo?',
          turns: [call('submit_result', { celsius: -3 })],
        },
        {
          role: 'agent',
          after: 'Ask around',
          turns: [
            {
              calls: [
                { tool: 'ask_weather', arguments: { message: 'How cold is Oslo?' } },
                { tool: 'brief', arguments: { message: 'How cold is Oslo?' } },
                { tool: 'double', arguments: { number: 21 } },
                { tool: 'double', arguments: { number: 51 } },
              ],
            },
            { text: 'Asked.', expect: ['{"celsius":-3}', '{"doubled":42}', 'does not fit its schema'] },
          ],
        },
        {
          role: 'agent',
          after: 'Hand it over',
          turns: [call('hand_off_to_weather', { message: 'How cold is Oslo?' })],
        },
        { role: 'agent', after: 'Ask the sleeper', turns: [call('ask_sleeper', { message: 'Sleep.' })] },
        {
          role: 'agent',
          after: 'Read a.txt',
          turns: [call('read_local_file', { path: 'a.txt' }), { text: 'Read.', expect: ['a.txt in utf8'] }],
        },
        {
          role: 'agent',
          after: 'Print it',
          turns: [call('print', { text: 'it' }), { text: 'Unknown.', expect: ['it is not made again'] }],
        },
        {
          role: 'agent',
          after: 'Buy for 5',
          turns: [call('pay', { amount: 5 }), { text: 'Bought.', expect: ['paid 5'] }],
        },
        {
          role: 'agent',
          after: 'Buy for 6',
          turns: [call('pay', { amount: 6 }), { text: 'Not bought.', expect: ['too expensive'] }],
        },
      ],
    },
  });
  longhaul = await host();
});

afterAll(async () => {
  await longhaul?.close();
  await stack?.stop();
});

/** The request that a run waits for. */
async function requestOf({ runId }: RunHandle): Promise<string> {
  let found: string | undefined;
  await waitFor(`a request of ${runId}`, async () => {
    found = (await stack.longhaul.inbox.list()).find(({ agentRunId }) => agentRunId === runId)?.id;
    return found !== undefined;
  });
  return found ?? '';
}

describe('a tool that requires confirmation', () => {
  test('waits for a yes without its host and its worker, says so, and the other runs go on', async () => {
    const run = await start(buyer, 'Buy for 5');
    const request = await requestOf(run);
    expect(await run.status()).toMatchObject({ status: 'RUNNING', waitsFor: expect.stringContaining(request) });
    const other = await start(buyer, 'Buy for 6');
    await stack.longhaul.inbox.answer({ id: await requestOf(other), answer: 'no', reason: 'too expensive' });
    expect((await other.result()).output).toBe('Not bought.');
    await longhaul.close();
    await stack.restartWorker();
    expect((await stack.longhaul.inbox.answer({ id: request, answer: 'yes' })).answer).toBe('yes');
    longhaul = await host();
    expect((await run.result()).output).toBe('Bought.');
    expect(paid.filter(({ runId }) => runId === run.runId)).toHaveLength(1);
    expect(paid.filter(({ runId }) => runId === other.runId)).toEqual([]);
    expect((await run.status()).waitsFor).toBeUndefined();
  });

  test('leaves the inbox with its run, and an answer then is refused', async () => {
    const run = await start(buyer, 'Buy for 5');
    const request = await requestOf(run);
    await run.cancel();
    await expect(run.result()).rejects.toThrow('was cancelled');
    expect((await stack.longhaul.inbox.list()).map(({ id }) => id)).not.toContain(request);
    await expect(stack.longhaul.inbox.answer({ id: request, answer: 'yes' })).rejects.toThrow('was withdrawn');
  });

  test('of a coded agent waits over the end of its process; a no is thrown where it was called', async () => {
    const allowed = await start(codedBuyer, 'now');
    const refused = await start(codedBuyer, 'now');
    const [yes, no] = [await requestOf(allowed), await requestOf(refused)];
    expect((await allowed.status()).waitsFor).toContain('pay(amount: 7)');
    await longhaul.close();
    longhaul = await host();
    await stack.longhaul.inbox.answer({ id: yes, answer: 'yes' });
    await stack.longhaul.inbox.answer({ id: no, answer: 'no', reason: 'enough' });
    expect((await allowed.result()).output).toBe('paid 7');
    expect((await refused.result()).output).toMatch(/^CallRefused: A person refused pay\(.*: enough/);
    expect(paid.filter(({ runId }) => runId === allowed.runId)).toHaveLength(1);
  });
});

describe('a tool on the client', () => {
  const read = async ({ path, encoding }: { path: string; encoding: string }) => `${path} in ${encoding}`;

  test('waits for a client, which may come after the host was started anew', async () => {
    const run = await start(reader, 'Read a.txt');
    await waitFor('the call', async () => (await run.status()).waitsFor?.includes('handle.provide') ?? false);
    await longhaul.close();
    longhaul = await host();
    const client = run.provide({ read_local_file: read });
    expect((await run.result()).output).toBe('Read.');
    await client.ended;
  });

  test('answers the call of a coded agent; what the client throws is thrown there', async () => {
    const run = await start(codedReader, 'now');
    run.provide({ read_local_file: read });
    expect((await run.result()).output).toBe('b.txt in utf8');
    const failing = await start(codedReader, 'now');
    failing.provide({
      read_local_file: () => {
        throw new Error('no such file');
      },
    });
    await expect(failing.result()).rejects.toThrow('no such file');
    const unwritable = await start(codedReader, 'now');
    unwritable.provide({ read_local_file: () => ({ size: 1n }) });
    await expect(unwritable.result()).rejects.toThrow('to return JSON');
    const patient = await start(patientReader, 'now');
    let tries = 0;
    patient.provide({
      read_local_file: () => {
        tries += 1;
        if (tries === 1) throw new Error('locked');
        return 'read at last';
      },
    });
    expect((await patient.result()).output).toBe('read at last');
  });

  test('with side effects is not run twice when its client dies and comes back', async () => {
    const run = await start(reader, 'Print it');
    let printed = 0;
    const print = () => {
      printed += 1;
      return new Promise<never>(() => {}); // it dies in the middle
    };
    run.provide({ print });
    await waitFor('the first client', () => printed === 1);
    const { database, close } = connectDatabase(stack.addresses.database);
    await database.execute(
      sql`update outside_calls set seen_at = now() - interval '1 minute' where run_id = ${run.runId}`,
    );
    await close();
    run.provide({ print });
    expect((await run.result()).output).toBe('Unknown.');
    expect(printed).toBe(1);
  });
});

describe('an agent that calls agents', () => {
  test('declared: each call is a run of its own below it, typed both ways', async () => {
    const run = await start(guide, 'Ask around');
    expect((await run.result()).output).toBe('Asked.');
    const children = await stack.longhaul.runs.list({ parentId: run.runId });
    expect(children.map(({ agent, status }) => `${agent} ${status}`).sort()).toEqual([
      'doubler SUCCEEDED',
      'doubler SUCCEEDED',
      'weather SUCCEEDED',
      'weather SUCCEEDED',
    ]);
    const asked = children.map(({ input }) => input[0]?.content ?? '');
    expect(asked.filter((text) => text.includes('They plan a trip to Norway.'))).toHaveLength(1);
    expect(asked).toContain('How cold is Oslo?');
  });

  test('declared: a hand-off ends the run with the result of the agent that took over, which knows the conversation', async () => {
    const run = await start(guide, 'Hand it over');
    expect((await run.result()).output).toEqual({ celsius: -3 });
    const [child] = await stack.longhaul.runs.list({ parentId: run.runId });
    expect(child?.input[0]?.content).toMatch(/Hand it over[\s\S]*How cold is Oslo\?$/);
  });

  test('is cancelled with them', async () => {
    const declared = await start(guide, 'Ask the sleeper');
    const coded = await start(codedGuide, 'go', { params: { wait: true } });
    for (const run of [declared, coded]) {
      await waitFor('the sleeper', async () => (await childrenOf(run))[0]?.status === 'RUNNING');
      await run.cancel();
      await expect(run.result()).rejects.toThrow('was cancelled');
      await waitFor('its end', async () => (await childrenOf(run))[0]?.status === 'CANCELLED');
    }
  });

  test('coded: after a crash it waits for the runs that it had started, and starts none twice', async () => {
    const before = asked.started;
    let crashes = 0;
    const gone = new Promise<void>((resolve) => {
      crash = async () => {
        crashes += 1;
        if (crashes === 1) {
          void longhaul.close().then(resolve);
          await new Promise(() => {});
        }
      };
    });
    const run = await start(codedGuide, 'go', { params: { wait: false } });
    await gone;
    longhaul = await host();
    expect((await run.result()).output).toEqual([8, -3]);
    expect([crashes, asked.started - before]).toEqual([2, 1]);
    expect(await childrenOf(run)).toHaveLength(2);
  });

  function childrenOf({ runId }: RunHandle) {
    return stack.longhaul.runs.list({ parentId: runId });
  }
});

describe('tools in the sandbox', () => {
  test("work in the run's own sandbox, which is removed with the run", async () => {
    const run = await start(worker, 'Work in the sandbox');
    expect((await run.result()).output).toBe('Worked.');
    await waitFor('the removal', async () => !(await hasSandbox(run)));
  });

  test('answer a coded agent', async () => {
    const run = await start(codedWorker, 'go');
    const { output } = await run.result();
    expect(output).toEqual([expect.stringContaining('kept'), { words: 3, host: 'undefined' }]);
    await waitFor('the removal', async () => !(await hasSandbox(run)));
  });

  async function hasSandbox({ runId }: RunHandle): Promise<boolean> {
    return (await stack.sandboxes.list()).some(({ name }) => name === runId);
  }
});

describe('code mode', () => {
  test("makes a program's calls once each, with a person's yes, and goes on from their record when its sandbox stops", async () => {
    const before = added;
    const run = await start(programmer, 'Program it');
    const request = await requestOf(run);
    expect(added - before).toBe(3);
    await stack.sandboxes.stop(run.runId);
    await stack.longhaul.inbox.answer({ id: request, answer: 'yes' });
    expect((await run.result()).output).toBe('Programmed.');
    expect(added - before).toBe(3);
    expect(paid.filter(({ runId }) => runId === run.runId)).toEqual([{ runId: run.runId, amount: 2 }]);
  });

  test("counts a program's calls among those of the run", async () => {
    const run = await start(programmer, 'Add for ever');
    await expect(run.result()).rejects.toThrow('limit of 7 tool calls');
  });

  test('makes no more calls than the run may, however many a program asks for at once', async () => {
    const before = added;
    const run = await start(programmer, 'Add at once');
    await expect(run.result()).rejects.toThrow('limit of 7 tool calls');
    expect(added - before).toBeLessThan(7);
  });
});

test('calls without side effects run side by side, and a rule has a person asked about any tool', async () => {
  const run = await start(asker, 'Meet, then look');
  const id = await requestOf(run);
  const [request] = (await stack.longhaul.inbox.list()).filter((one) => one.id === id);
  expect(request?.rule).toBe('`ask Tool(look)` of the settings');
  await stack.longhaul.inbox.answer({ id, answer: 'no' });
  expect((await run.result()).output).toBe('Looked.');
});
