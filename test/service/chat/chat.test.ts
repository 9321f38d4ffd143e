import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { runCommandLine } from '../../../cli/program/run-command-line.ts';
import type { ChatStreamEvent } from '../../../client/index.ts';
import type { MisbehaviourInput } from '../../../testing/index.ts';
import { runCli } from '../../cli/run.ts';
import { startWithInput } from '../../support/stack/command-line.ts';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';
import { eventsOf } from '../../support/work/events-of.ts';

const long = 'It is a long story, and it is told slowly, so that one may leave in the middle of it. '.repeat(10);
/** Calls that change nothing and bring an error, since there is no such message. */
const looks = (count: number) => ({
  calls: Array.from({ length: count }, () => ({ tool: 'read_output', arguments: { message: 1 } })),
});

const script = {
  entries: [
    { after: 'I am Ada', turns: [{ text: 'Hello, Ada.' }] },
    { after: 'What is my name', turns: [{ text: 'Ada.', expect: ['I am Ada', 'Hello, Ada.'] }] },
    {
      after: 'Look twice',
      turns: [{ ...call('read_output', { message: 99 }), text: 'I look.' }, { text: 'Nothing is there.' }],
    },
    { after: 'Tell me a story', turns: [{ text: long }] },
    {
      after: 'Many at once',
      turns: [
        looks(3),
        looks(3),
        { text: 'I looked.', expect: ['The message reached its limit of 4 tool calls', 'This is your last answer'] },
      ],
    },
    { after: 'Please go on', turns: [{ text: 'I went on.', expect: ['Not executed.'] }] },
    {
      after: 'Remind me',
      turns: [
        call('create_task', { title: 'Water the plants', due_date: '2026-12-01' }),
        { text: 'I will.', expect: ['Created task'] },
      ],
    },
    { after: 'What else', turns: [{ text: 'Much.', expect: ['refused to answer is omitted here'] }] },
    { after: 'Explain it all', turns: [{ text: 'he rest of it.' }] },
    {
      after: 'Is that all',
      turns: [{ text: 'Yes.', expect: ['Continue with its very next character', 'he rest of it.'] }],
    },
    { after: 'Count', turns: [{ text: 'Counted.' }] },
  ].map((entry) => ({ role: 'chat', ...entry })),
};

let stack: ServiceStack;
let connection: Connection;

beforeAll(async () => {
  stack = await startServiceStack({
    script,
    settings: 'export default { chat: { idleMinutes: 0.1, toolCalls: 4 } };\n',
  });
  connection = await Connection.connect({ address: stack.addresses.temporal });
});
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});
afterEach(() => stack.model.behave());

/** `longhaul chat` as a process of its own; `input` comes through a pipe. */
const chat = (parameters: string[], input = '') => startWithInput(stack.environment, input, 'chat', ...parameters);

const saidIn = async (name: string) =>
  (await (await stack.longhaul.existingChat(name)).history()).map(({ said, status, answer }) => [said, status, answer]);

/** Requests for an answer; those that look for what to keep of one come when they come. */
const asked = () => stack.model.requests().filter(({ role }) => role === 'chat').length;

const ask = async (name: string, text: string) => eventsOf((await stack.longhaul.chat(name)).send(text));

async function untilAsked(words: number): Promise<void> {
  await waitFor('the model to be asked', () => asked() > words);
}

test('two processes in one conversation get their own answers, and a third knows what was said', async () => {
  const one = chat(['--session', 'names', '-m', 'I am Ada']);
  const other = chat(['--session', 'names'], 'Count the processes\n');
  expect(await one.ended).toMatchObject({ code: 0, stdout: 'Hello, Ada.\n', stderr: '' });
  expect(await other.ended).toMatchObject({ code: 0, stdout: 'Counted.\n', stderr: '' });
  expect((await ask('names', 'What is my name?')).at(-1)).toMatchObject({ text: 'Ada.' });
  const said = await saidIn('names');
  expect(said.slice(0, 2).sort()).toEqual([
    ['Count the processes', 'ANSWERED', 'Counted.'],
    ['I am Ada', 'ANSWERED', 'Hello, Ada.'],
  ]);
  expect(said.slice(2)).toEqual([['What is my name?', 'ANSWERED', 'Ada.']]);
});

test('an answer cut off at the token limit is continued and shown as one', async () => {
  const piece = 'I would now go on with t'; // what the scripted model says before it breaks off
  stack.model.misbehave({ kind: 'truncated' }, { match: { role: 'chat' }, times: 2 });
  const whole = `${piece}${piece}he rest of it.`;
  const events = await ask('cut', 'Explain it all');
  expect(events.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe(whole);
  await ask('cut', 'Is that all?');
  expect(await saidIn('cut')).toEqual([
    ['Explain it all', 'ANSWERED', whole],
    ['Is that all?', 'ANSWERED', 'Yes.'],
  ]);
});

test("the model's words and calls are streamed once", async () => {
  stack.model.misbehave({ kind: 'slow', milliseconds: 20 }, { match: { role: 'chat' }, times: 3 });
  const story = await stack.longhaul.chat('stream');
  const events = await eventsOf(story.send('Look twice'));
  expect(events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
    'message.received',
    'answer.started',
    'delta',
    'tool-began',
    'tool-ended',
    'delta',
    'answer',
  ]);
  expect(events.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe('I look.Nothing is there.');
  expect(events.at(-1)).toMatchObject({ type: 'answer', text: 'Nothing is there.' });
  const told = await eventsOf(story.send('Tell me a story'));
  expect(told.filter(({ type }) => type === 'delta').length).toBeGreaterThan(3);
  expect(told.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe(long);
});

test('messages of two clients are answered one by one in order', async () => {
  const [one, other] = await Promise.all([stack.longhaul.chat('both'), stack.longhaul.chat('both')]);
  await eventsOf(one.send('I am Ada'));
  const seen: ChatStreamEvent[] = [];
  const leaving = new AbortController();
  const again = await stack.longhaul.existingChat('both');
  const watching = (async () => {
    for await (const event of again.watch({ signal: leaving.signal })) seen.push(event);
  })();
  await Promise.all([
    ...Array.from({ length: 3 }, (_, index) => one.say(`Count ${index}`)),
    ...Array.from({ length: 3 }, (_, index) => other.say(`Count ${index} too`)),
  ]);
  await waitFor('all answers', () => seen.filter(({ type }) => type === 'answer').length === 6);
  leaving.abort();
  await watching;
  const history = await one.history();
  expect(history.map(({ number }) => number)).toEqual(history.map((_, index) => index + 1));
  expect(history.every(({ status, answer }) => status === 'ANSWERED' && answer)).toBe(true);
  const inOrder = history.slice(1).map(({ id }) => id);
  expect(seen.filter(({ type }) => type === 'answer').map(({ message }) => message)).toEqual(inOrder);
});

test('a message of a megabyte is refused and the chat continues', async () => {
  const environment = { ...stack.environment };
  const piped = `${'word '.repeat(200_000)}\n`;
  expect(await runCli(['chat', '--new', '--session', 'megabyte'], { environment, piped })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Expected a message of at most 200000 characters, got 999999\. Send/),
  });
  expect((await stack.longhaul.chats()).map(({ name }) => name)).not.toContain('megabyte');
  const before = asked();
  expect((await ask('megabyte', `Count ${'word '.repeat(39_000)}`)).at(-1)).toMatchObject({ text: 'Counted.' });
  expect(asked()).toBe(before + 1);
});

test('a failing model ends the answer, not the chat', async () => {
  stack.model.misbehave({ kind: 'status', status: 400, message: 'no such model' }, { match: { role: 'chat' } });
  const environment = { ...stack.environment };
  const failed = await runCli(['chat', '--session', 'failing', '-m', 'I am Ada'], { environment });
  expect(failed).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('No answer: ') });
  expect(failed.stderr).toContain('no such model');
  stack.model.behave();
  expect((await ask('failing', 'Count, I am still here')).at(-1)).toMatchObject({ text: 'Counted.' });
  stack.model.misbehave({ kind: 'empty-answer' }, { match: { role: 'chat' }, times: 1 });
  expect((await ask('failing', 'Count again')).at(-1)).toMatchObject({
    type: 'failure',
    reason: expect.stringContaining('The model gave an empty answer.'),
  });
  expect((await saidIn('failing')).map(([, status]) => status)).toEqual(['FAILED', 'ANSWERED', 'FAILED']);
});

test('a model that asks for an immediate retry is asked again', async () => {
  stack.model.misbehave({ kind: 'rate-limit', retryAfterSeconds: 0 }, { match: { role: 'chat' }, times: 2 });
  expect((await ask('hurried', 'Count')).at(-1)).toMatchObject({ type: 'answer', text: 'Counted.' });
});

test.each([
  ['the model', { kind: 'refusal' }, 'I will not do that.'],
  [
    'a filter',
    { kind: 'status', status: 400, code: 'content_filter', message: 'It was filtered.' },
    'It was filtered.',
  ],
] as Array<[string, MisbehaviourInput, string]>)(
  'what %s refused once is omitted from later messages',
  async (who, kind, said) => {
    stack.model.misbehave(kind, { match: { role: 'chat' } });
    const name = `refused by ${who}`;
    expect((await ask(name, 'Count bad things')).at(-1)).toMatchObject({
      type: 'failure',
      reason: expect.stringContaining(said),
    });
    expect((await ask(name, 'What else?')).at(-1)).toMatchObject({ text: 'Much.' });
    const kept = (await saidIn(name)).map(([words, status]) => [words, status]);
    expect(kept).toEqual([
      ['Count bad things', 'FAILED'],
      ['What else?', 'ANSWERED'],
    ]);
  },
);

test('Ctrl-C stops the answer that a command waits for', async () => {
  stack.model.misbehave({ kind: 'hang' }, { match: { role: 'chat' }, times: 1 });
  const before = asked();
  const client = chat(['--session', 'stopped', '-m', 'Tell me a story']);
  await untilAsked(before);
  client.kill('SIGINT');
  expect(await client.ended).toMatchObject({ code: 130, stdout: '', stderr: 'Stopped.\n' });
  await waitFor('the end', async () => (await saidIn('stopped'))[0]?.[1] === 'STOPPED');
});

test('an answer with too many tool calls stops at its limit, and the chat continues', async () => {
  const events = await ask('endless', 'Many at once');
  expect(events.at(-1)).toMatchObject({
    type: 'answer',
    text: 'I looked.',
    limit: expect.stringContaining('4 tool calls'),
  });
  expect(events.filter(({ type }) => type === 'tool-ended')).toHaveLength(4);
  expect((await ask('endless', 'Please go on')).at(-1)).toMatchObject({ text: 'I went on.' });
});

/** Temporal's own command line. */
async function temporal(...parameters: string[]): Promise<string> {
  const { addresses } = stack;
  const command = process.env.TEMPORAL_CLI_PATH ?? 'temporal';
  return (await promisify(execFile)(command, [...parameters, '--address', addresses.temporal])).stdout;
}

test('an idle chat ends and runs again with the next message, also one sent through Temporal', async () => {
  const idle = await stack.longhaul.chat('idle');
  await eventsOf(idle.send('I am Ada'));
  const id = idle.id ?? '';
  const { workflow } = new Client({ connection });
  const isClosed = async () => (await workflow.getHandle(id).describe()).status.name === 'COMPLETED';
  await waitFor('the workflow to end', isClosed);
  expect((await eventsOf(idle.send('What is my name?'))).at(-1)).toMatchObject({ type: 'answer', text: 'Ada.' });
  const update = ['workflow', 'update', 'execute', '-w', id, '--name', 'message', '--input'];
  await expect(temporal(...update, '{"id":"x"}')).rejects.toThrow(/Expected \{ "id": .*got \{"id":"x"\}/);
  await temporal(...update, JSON.stringify({ id: 'by-hand', text: 'Count by hand' }));
  await waitFor('the answer', async () => (await idle.history())[2]?.status === 'ANSWERED');
  // What is listed comes a moment late.
  await waitFor('the workflow to be listed', async () => {
    const { count } = await workflow.count(`LonghaulChat = "${id}" AND WorkflowType = "chatWorkflow"`);
    return count > 0;
  });
  await waitFor('the workflow to end again', isClosed);
});

test('a chat deleted during an answer stays deleted', async () => {
  stack.model.misbehave({ kind: 'hang' }, { match: { role: 'chat' }, times: 1 });
  const before = asked();
  const gone = await stack.longhaul.chat('gone');
  await gone.say('Tell me a story');
  await untilAsked(before);
  const terminated = new Client({ connection }).workflow.getHandle(gone.id ?? '');
  await gone.delete();
  expect((await stack.longhaul.chats()).map(({ name }) => name)).not.toContain('gone');
  expect((await terminated.describe()).status.name).toBe('TERMINATED');
  const again = await stack.longhaul.chat('gone');
  expect(await again.history()).toEqual([]);
  expect((await eventsOf(again.send('I am Ada'))).at(-1)).toMatchObject({ type: 'answer', text: 'Hello, Ada.' });
});

test('a typed conversation shows commands, answers and messages of another window', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = new PassThrough();
  let shown = '';
  stdout.on('data', (chunk) => {
    shown += chunk;
  });
  const ended = runCommandLine(['chat', '--session', 'typed'], {
    environment: stack.environment,
    folder: stack.home,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: new PassThrough() as unknown as NodeJS.WriteStream,
  });
  async function type(line: string, answer: string): Promise<void> {
    const before = shown.length;
    stdin.write(`${line}\n`);
    await waitFor(`${answer} behind ${JSON.stringify(shown)}`, () => shown.slice(before).includes(answer));
  }
  /** What it cost is known, and a branch or a fork begins, only then. */
  const untilRest = (name: string) =>
    waitFor('rest', async () => (await saidIn(name)).every(([, status]) => status === 'ANSWERED'));
  await type('I am Ada', 'Hello, Ada.');
  await untilRest('typed'); // words are shown before they are stored
  await type('/cost', ' model call'); // the look for what to keep may count already
  await type('/nope', 'There is no command /nope.');
  await type('Look twice', 'Nothing is there.');
  expect(shown).toMatch(/I look\.\n. read_output/);
  const before = shown.length;
  await eventsOf((await stack.longhaul.existingChat('typed')).send('Count elsewhere'));
  await waitFor('what was said elsewhere', () => /> Count elsewhere\n[\s\S]*Counted\./.test(shown.slice(before))).catch(
    (error: Error) => {
      throw new Error(`${error.message} ${JSON.stringify(shown)}`);
    },
  );
  await untilRest('typed');
  await type('/retry', '[branch r2]');
  await untilRest('typed');
  await type('/edit', '#2 Look twice');
  await type('/edit #9 What', 'There is no message 9.');
  await type('/edit #2 Count otherwise', 'Counted.');
  await untilRest('typed');
  await type('/fork typed-too', 'notes for one conversation stayed with typed]');
  await type('Count here', 'Counted.');
  await type('/sessions typed', '[typed]');
  expect((await saidIn('typed')).map(([said]) => said)).toEqual(['I am Ada', 'Count otherwise']);
  expect((await saidIn('typed-too')).map(([said]) => said)).toEqual(['I am Ada', 'Count otherwise', 'Count here']);
  await type('/memory', 'recalled');
  await type('Remind me to water the plants', 'I will.');
  await type('/tasks', '1. Water the plants (not_started, priority 5, due 2026-12-01)');
  await type('/sessions', '* typed');
  await type('/new', '[a new conversation]');
  await type('I am Ada \\\nand I live here', 'Hello, Ada.');
  stdin.write('/exit\n'); // words are shown before they are stored: the answer goes on without its reader
  expect(await ended).toBe(0);
  const lastSaid = () => saidIn('i-am-ada-and-i');
  await waitFor('the end of the answer', async () => (await lastSaid())[0]?.[1] !== 'RUNNING');
  expect(await lastSaid()).toEqual([['I am Ada \nand I live here', 'ANSWERED', 'Hello, Ada.']]);
});
