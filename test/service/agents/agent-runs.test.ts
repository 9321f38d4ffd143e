import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { connectLonghaul } from '../../../client/longhaul.ts';
import { createLonghaul } from '../../../runtime/create-longhaul.ts';
import { type AgentLonghaul, defineAgent, defineTool, PermanentError, parallel, step } from '../../../runtime/index.ts';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

const script = {
  entries: [
    {
      after: 'Is it cold in Oslo',
      turns: [call('temperature', { city: 'Oslo' }), { text: 'Yes: 3 °C.', expect: ['"celsius":3'] }],
    },
    {
      after: 'As a report',
      turns: [
        call('submit_result', { city: 'Oslo', celsius: 'three' }),
        { ...call('submit_result', { city: 'Oslo', celsius: 3 }), expect: ['celsius: expected number'] },
      ],
    },
    {
      after: 'Look again and again',
      turns: [call('temperature', { city: 'Oslo' }), call('temperature', { city: 'Bergen' }), { text: 'Never said.' }],
    },
    { after: 'Name a colour', turns: [{ text: 'Blue.' }] },
  ].map((entry) => ({ role: 'agent', ...entry })),
};

const temperature = defineTool({
  name: 'temperature',
  description: 'Temperature of a city in °C.',
  parameters: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, celsius: 3 }),
});

const read = defineTool({ name: 'read', description: 'Reads.', parameters: z.object({}), on: 'client' });

const weather = defineAgent({ key: 'weather', instructions: 'You answer about the weather.', tools: [temperature] });
const report = defineAgent({
  key: 'report',
  instructions: 'You report the weather.',
  tools: [temperature],
  output: z.object({ city: z.string(), celsius: z.number() }),
});

/** What the coded agents did, by the text of their input. */
const done: Record<string, string[]> = {};
function note(of: string, what: string): void {
  done[of] = [...(done[of] ?? []), what];
}

const worker = defineAgent({
  key: 'worker',
  tools: [temperature, read],
  async run(context) {
    const asked = context.inputMessages.at(-1)?.content ?? '';
    note(asked, `try ${context.attempt}`);
    if (asked === 'wait') {
      await sleep(600_000, undefined, { signal: context.signal });
    }
    if (asked === 'fail twice' && context.attempt < 3) throw new Error('not yet');
    if (asked === 'ask twice') await context.generate('Name a colour, please');
    if (asked === 'never') throw new PermanentError('it cannot be done');
    const { results, state } = await context.steps(
      [
        step('look', async ({ state: { looked } }: { state: { looked: number } }) => looked + 1, {
          description: 'looks',
        }),
        parallel([
          step('left', ({ state: changed }) => {
            Object.assign(changed, { left: true });
            return 'l';
          }),
          step('right', ({ state: changed }) => {
            Object.assign(changed, { right: true });
            return 'r';
          }),
        ]),
      ],
      { initialState: { looked: 0 } },
    );
    const { text } = await context.generate('Name a colour');
    const found = await context.callTool('temperature', { city: 'Oslo' });
    await context.emit('worker.seen', { asked });
    await context.checkpoint({ done: true });
    return { finalOutput: { results, state, text, found, params: context.params }, artifacts: { note: asked } };
  },
});

/** Ends well when it is told to stop. */
const obedient = defineAgent({
  key: 'obedient',
  async run({ signal, attempt }) {
    note('obedient', `try ${attempt}`);
    await sleep(600_000, undefined, { signal }).catch(() => undefined);
    return { finalOutput: 'ended well' };
  },
});

let stack: ServiceStack;
let longhaul: AgentLonghaul;

beforeAll(async () => {
  stack = await startServiceStack({ script });
  longhaul = await createLonghaul({ agents: [weather, report, worker, obedient], environment: stack.environment });
});
afterAll(async () => {
  await longhaul?.close();
  await stack?.stop();
});

test('a declared agent calls its tools, answers in words, and its events can be read from any place on', async () => {
  const run = await longhaul.start(weather, 'Is it cold in Oslo?');
  const { output, usage } = await run.result();
  expect({ output, calls: usage.modelCalls }).toEqual({ output: 'Yes: 3 °C.', calls: 2 });
  const events = await collect(run.events({ live: false }));
  expect(events.map(({ sequence, type }) => `${sequence} ${type}`)).toEqual([
    '1 run.started',
    '2 assistant.message',
    '3 tool.call',
    '4 tool.result',
    '5 assistant.message',
    '6 run.succeeded',
  ]);
  expect((await collect(run.events({ after: 4, live: false }))).map(({ sequence }) => sequence)).toEqual([5, 6]);
});

test('an agent with a form of result is told what does not fit, and its result is typed', async () => {
  const { output } = await longhaul.run(report, 'As a report');
  const celsius: number = output.celsius;
  expect({ celsius, city: output.city }).toEqual({ celsius: 3, city: 'Oslo' });
});

test('a run ends where its limits are reached, and says which', async () => {
  const run = longhaul.run(weather, 'Look again and again', { limits: { modelCalls: 2 } });
  await expect(run).rejects.toMatchObject({
    code: 'RunFailed',
    message: expect.stringContaining('`limits.modelCalls`'),
  });
});

test('a coded agent is stopped by a limit that its start sets, and by no other', async () => {
  await expect(longhaul.run('worker', 'limited', { limits: { tokens: 1 } })).resolves.toBeDefined(); // one call, before which nothing is spent
  const run = longhaul.run('worker', 'ask twice', { limits: { modelCalls: 1 }, maxRetries: 3, backoff: 10 });
  await expect(run).rejects.toMatchObject({ message: expect.stringContaining('its limit of 1 model calls') });
  expect(done['ask twice']).toEqual(['try 1']);
});

test('a coded agent has steps, model, tools, events, params, state and artifacts', async () => {
  const run = await longhaul.start<Record<string, unknown>>('worker', 'work', { params: { depth: 2 } });
  const { output, artifacts, usage } = await run.result();
  expect(output).toEqual({
    results: { look: 1, left: 'l', right: 'r' },
    state: { looked: 0, left: true, right: true },
    text: 'Blue.',
    found: { city: 'Oslo', celsius: 3 },
    params: { depth: 2 },
  });
  expect({ artifacts, calls: usage.modelCalls }).toEqual({ artifacts: { note: 'work' }, calls: 1 });
  const events = await collect(run.events<{ 'worker.seen': { asked: string } }>({ live: false }));
  const seen = events.find((event) => event.type === 'worker.seen');
  expect(seen).toMatchObject({ payload: { asked: 'work' } });
  expect(events.filter(({ type }) => type === 'step.completed')).toHaveLength(3);
});

test('a failed run is tried again, one that no try can mend is not', async () => {
  const { output } = await longhaul.run('worker', 'fail twice', { maxRetries: 3, backoff: 10 });
  expect(output).toMatchObject({ text: 'Blue.' });
  expect(done['fail twice']).toEqual(['try 1', 'try 2', 'try 3']);
  await expect(longhaul.run('worker', 'never', { maxRetries: 3, backoff: 10 })).rejects.toMatchObject({
    code: 'RunFailed',
    message: expect.stringContaining('it cannot be done'),
  });
  expect(done.never).toEqual(['try 1']);
});

test('a cancelled run ends as cancelled, a late one as timed out', async () => {
  const run = await longhaul.start('worker', 'wait');
  await waitFor('the run to begin', async () => (await run.status()).status === 'RUNNING');
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ code: 'RunCancelled' });
  await expect(longhaul.run('worker', 'wait', { timeout: '1s' })).rejects.toMatchObject({ code: 'RunTimedOut' });
});

test('what an agent returns once it was cancelled or late does not let its run succeed', async () => {
  const run = await longhaul.start('obedient', 'Wait.');
  await waitFor('the agent to begin', async () => done.obedient !== undefined);
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ code: 'RunCancelled' });
  const late = longhaul.run('obedient', 'Wait.', { timeout: '1s' });
  await expect(late).rejects.toMatchObject({ code: 'RunTimedOut' });
});

test('a new run takes a version that a process hosts, and a program runs its own', async () => {
  const edited = defineAgent({ key: 'weather', run: async () => ({ finalOutput: 'edited' }) });
  const other = await createLonghaul({ agents: [edited], environment: stack.environment });
  try {
    expect((await other.run('weather', 'x')).output).toBe('edited');
    expect((await longhaul.run('weather', 'Is it cold in Oslo?')).output).toBe('Yes: 3 °C.');
  } finally {
    await other.close();
  }
  const client = await connectLonghaul({ environment: stack.environment });
  expect((await client.run('weather', 'Is it cold in Oslo?')).output).toBe('Yes: 3 °C.');
  await client.close();
});

test('a closed connection says so, and ends what follows a run', async () => {
  const run = await longhaul.start('worker', 'wait');
  const client = await connectLonghaul({ environment: stack.environment });
  const seen = await client.runs.find(run.runId);
  const types: string[] = [];
  const following = (async () => {
    for await (const { type } of seen.events()) types.push(type);
  })();
  const { ended } = seen.provide({ read: async () => 1 });
  await waitFor('the run to begin', () => types.includes('run.started'));
  await client.close();
  await following;
  expect(types).toContain('run.started');
  await ended;
  await expect(client.runs.list()).rejects.toMatchObject({ code: 'Closed' });
  await expect(client.start('worker', 'x')).rejects.toMatchObject({ code: 'Closed' });
  await run.cancel();
});

test('a second start with the same idempotency key is the same run; a retry is another', async () => {
  const first = await longhaul.start('worker', 'once', { idempotencyKey: 'order-1' });
  const second = await longhaul.start('worker', 'once', { idempotencyKey: 'order-1' });
  expect(second.runId).toBe(first.runId);
  await expect(longhaul.start('worker', 'twice', { idempotencyKey: 'order-1' })).rejects.toMatchObject({
    code: 'InvalidInput',
    message: `The idempotency key "order-1" belongs to the run ${first.runId}, which has another input. Give each input a key of its own.`,
  });
  await first.result();
  const waiting = await longhaul.start('worker', 'wait');
  await expect(longhaul.runs.retry(waiting.runId)).rejects.toMatchObject({ code: 'InvalidInput' });
  expect(() => waiting.provide({})).toThrow('Expected at least one tool, got none.');
  await expect(waiting.provide({ raed: async () => 1 }).ended).rejects.toMatchObject({
    message: `Expected tools that the agent has with \`on: 'client'\` (read), got "raed".`,
  });
  await waiting.cancel();
  const again = await longhaul.runs.retry(first.runId);
  await again.result();
  expect((await again.status()).retryOf).toBe(first.runId);
  expect(done.once).toEqual(['try 1', 'try 1']);
  const listed = await longhaul.runs.list({ agent: 'worker', limit: 1 });
  expect(listed.map(({ id, status }) => [id, status])).toEqual([[again.runId, 'SUCCEEDED']]);
});

test('two agents of the same key are refused at once', async () => {
  const twin = defineAgent({ key: 'weather', run: async () => ({ finalOutput: 1 }) });
  const made = createLonghaul({ agents: [weather, twin], environment: stack.environment });
  await expect(made).rejects.toMatchObject({ code: 'DuplicateName' });
});

test('bad input is refused with what is wrong, and an unknown agent with those that are known', async () => {
  await expect(longhaul.start('worker', '', { priority: 9 })).rejects.toMatchObject({
    code: 'InvalidInput',
    message: expect.stringContaining('priority'),
  });
  await expect(longhaul.start('nobody', 'x')).rejects.toMatchObject({
    code: 'InvalidInput',
    message: expect.stringContaining('obedient, report, weather, worker'),
  });
  await expect(longhaul.start('worker', null as never)).rejects.toMatchObject({ code: 'InvalidInput' });
  const run = await longhaul.start('worker', 'never');
  await expect(collect(run.events({ after: 1.5 }))).rejects.toMatchObject({ code: 'InvalidInput' });
});

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}
