import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ChatHandle } from '../../../client/index.ts';
import { connectDocker } from '../../../sandbox/docker/host/connect-docker.ts';
import { runCli } from '../../cli/run.ts';
import { call, proposal } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';
import { eventsOf } from '../../support/work/events-of.ts';
import { isFileIn } from '../../support/work/sandboxes-of.ts';

const python = (code: string) => call('execute_code', { language: 'python', code });
const slow =
  'import time\nopen("runs", "a").write("ran\\n")\nopen("begun", "w").close()\ntime.sleep(4)\nanswer = 42\nanswer';

const verifying = { project: 'greeter', feature: 'greet', status: 'passing' };

const script = {
  entries: [
    // The project is being planned for as long as the tests take.
    {
      role: 'initializer',
      turns: [
        {
          ...call('propose_project', proposal([{ name: 'greet' }])),
          misbehave: { kind: 'delay' as const, milliseconds: 600_000 },
        },
      ],
    },
    {
      role: 'chat',
      after: 'Compute',
      turns: [
        python('squares = [n * n for n in range(5)]\nprint("made")\nsquares'),
        {
          ...call('run_command', { command: 'echo from the shell >notes.txt; cat notes.txt' }),
          expect: ['[output]\nmade'],
        },
        {
          ...call('edit_file', { path: 'notes.txt', old_text: 'shell', new_text: 'editor' }),
          expect: ['from the shell'],
        },
        python('sum(squares)'),
        { text: 'It is 30.', expect: ['[result]\n30'] },
      ],
    },
    { role: 'chat', after: 'Slowly', turns: [python(slow), { text: 'It is 42.', expect: ['[result]\n42'] }] },
    {
      role: 'chat',
      after: 'Is it still there',
      turns: [
        call('read_file', { path: 'notes.txt' }),
        { ...python('open("runs").read(), "answer" in globals()'), expect: ['from the editor'] },
        { text: 'The file is, the variable is not.', expect: ["('ran\\n', False)", 'A new interpreter was started'] },
      ],
    },
    {
      role: 'chat',
      after: 'Have it written',
      turns: [
        call('delegate_code_task', { task: 'Write hello.sh, which greets.' }),
        { ...call('run_command', { command: 'bash hello.sh' }), expect: ['I wrote hello.sh.', 'longhaul transcript'] },
        { text: 'It greets.', expect: ['hello, person'] },
      ],
    },
    {
      role: 'code',
      after: 'Write hello.sh',
      turns: [
        call('write_file', { path: 'hello.sh', content: 'echo hello, person\n' }),
        { text: 'I wrote hello.sh.', expect: ['You have 7 model calls'] },
      ],
    },
    {
      role: 'chat',
      after: 'Ask around',
      turns: [
        call('delegate_research_task', { task: 'Find out what is known of Ada.' }),
        { text: 'It went on too long.', expect: ['Found nothing yet.', '7 model calls', 'It did not finish.'] },
      ],
    },
    {
      role: 'research',
      after: 'known of Ada',
      turns: Array.from({ length: 8 }, () => ({
        ...call('search_memory', { query: 'Ada' }),
        text: 'Found nothing yet.',
      })),
    },
    {
      role: 'chat',
      after: 'Ask everybody',
      turns: [
        {
          calls: [1, 2, 3].map((number) => ({
            tool: 'delegate_research_task',
            arguments: { task: `Tell all of volume ${number}.` },
          })),
        },
        { text: 'Two of three are read.', expect: ['Not executed.'] },
      ],
    },
    // About 60,000 of the 100,000 tokens that a message may use.
    { role: 'research', after: 'Tell all of volume', turns: [{ text: 'and so on '.repeat(24_000) }] },
    {
      role: 'chat',
      after: 'Read this machine',
      turns: [
        call('fetch_url', { url: 'http://127.0.0.1:1/secret' }),
        {
          ...call('fetch_url', { url: 'http://localhost/' }),
          expect: ['Expected an address on the public internet, got 127.0.0.1'],
        },
        { text: 'May I?', expect: ['A person has to allow this first.'] },
      ],
    },
    {
      role: 'chat',
      after: 'You may read it',
      turns: [
        call('fetch_url', { url: 'http://localhost/' }),
        { text: 'I may not.', expect: ['Expected an address on the public internet, got localhost ('] },
      ],
    },
    {
      role: 'chat',
      after: 'Build me',
      turns: [
        call('create_long_running_project', { goal: 'A greeter.', name: 'greeter' }),
        { text: 'May I?', expect: ['A person has to allow this first.'] },
      ],
    },
    {
      role: 'chat',
      after: 'You may',
      turns: [
        call('create_long_running_project', { goal: 'A greeter.', name: 'greeter' }),
        { ...call('list_long_running_projects'), expect: ['Started as project-greeter-'] },
        { ...call('get_project_status', { project: 'greeter' }), expect: ['): A greeter.'] },
        { text: 'It has begun.', expect: ['Goal: A greeter.', 'The project has no features yet.'] },
      ],
    },
    {
      role: 'chat',
      after: 'Pause the greeter',
      turns: [
        call('pause_project', { project: 'greeter', reason: 'Lunch.' }),
        { ...call('update_feature_status', verifying), expect: ['is PAUSED (Lunch.) now.'] },
        { text: 'It is paused.', expect: ['A person has to allow this first.'] },
      ],
    },
    {
      role: 'chat',
      after: 'Verify it',
      turns: [
        call('update_feature_status', verifying),
        { text: 'There is nothing to verify.', expect: ['has no feature "greet". It has no features yet.'] },
      ],
    },
    {
      role: 'chat',
      after: 'Drop the greeter',
      turns: [
        call('abandon_project', { project: 'greeter', reason: 'Enough.' }),
        { text: 'May I end it?', expect: ['A person has to allow this first.'] },
      ],
    },
    {
      role: 'chat',
      after: 'Do drop it',
      turns: [
        call('abandon_project', { project: 'greeter', reason: 'Enough.' }),
        { text: 'It has ended.', expect: ['is ABANDONED (Enough.) now.'] },
      ],
    },
  ],
};

let stack: ServiceStack;
let chat: ChatHandle;
/** A second chat, in which the first one's container becomes idle. */
let other: ChatHandle;

beforeAll(async () => {
  const settings = 'export default { chat: { idleMinutes: 0.1 } };\n';
  stack = await startServiceStack({ worker: 'process', script, settings });
  [chat, other] = await Promise.all([stack.longhaul.chat('tools'), stack.longhaul.chat('other')]);
});
afterAll(() => stack?.stop());

const ask = (text: string, to = chat) => eventsOf(to.send(text));

const docker = connectDocker();
const ownedBy = (id: string | undefined) => ({ label: [`longhaul.owner=${id}`] });
/** Returns the names of the chat's sandboxes; a container that measures a disk at the moment is none. */
async function containers(): Promise<string[]> {
  const all = await docker.listContainers({ all: true, filters: ownedBy(chat.id) });
  return all.flatMap(({ Names }) => Names).filter((name) => !name.includes('-measure-'));
}
const volumesOf = async (id: string) => (await docker.listVolumes({ filters: ownedBy(id) })).Volumes;

const longhaul = async (...parameters: string[]) =>
  (await runCli(parameters, { environment: { ...stack.environment } })).stdout;

test('code, commands and files of a chat share one sandbox, and state stays between calls', async () => {
  const events = await ask('Compute the squares');
  expect(events.at(-1)).toMatchObject({ type: 'answer', text: 'It is 30.' });
  expect(events.flatMap((event) => (event.type === 'tool-ended' ? [[event.tool, event.failed]] : []))).toEqual([
    ['execute_code', false],
    ['run_command', false],
    ['edit_file', false],
    ['execute_code', false],
  ]);
  expect(await containers()).toHaveLength(1);
});

test('running code is not run again after its worker died', async () => {
  await chat.say('Slowly');
  await waitFor('the code to begin', () => isFileIn(ownedBy(chat.id), '/workspace/begun'));
  await stack.restartWorker();
  await waitFor('the answer', async () => (await chat.history()).at(-1)?.answer === 'It is 42.');
});

const waiting = async () => (await stack.longhaul.inbox.list()).filter(({ chatId }) => chatId === other.id);

test('a page is read once a person allows its host, and one of this machine not even then', async () => {
  expect((await ask('Read this machine', other)).at(-1)).toMatchObject({ type: 'answer', text: 'May I?' });
  const [request] = await waiting();
  expect(request?.asked).toBe('May this chat read pages of localhost?');
  await stack.longhaul.inbox.answer({ id: request?.id ?? '', answer: 'yes' });
  expect((await ask('You may read it', other)).at(-1)).toMatchObject({ type: 'answer', text: 'I may not.' });
});

test('a project is begun once a person allows it, as from the command line', async () => {
  expect((await ask('Build me a greeter', other)).at(-1)).toMatchObject({ type: 'answer', text: 'May I?' });
  const [request] = await waiting();
  expect(await longhaul('list')).not.toContain('greeter');
  await stack.longhaul.inbox.answer({ id: request?.id ?? '', answer: 'yes' });
  expect((await ask('You may build it', other)).at(-1)).toMatchObject({ type: 'answer', text: 'It has begun.' });
  expect(await longhaul('list')).toContain('greeter');
});

test('a chat pauses a project without a question, and verifies or ends it after a yes', async () => {
  const answer = async (text: string) => (await ask(text, other)).at(-1);
  const allow = async () => {
    const [request] = (await stack.longhaul.inbox.list()).filter(({ chatId }) => chatId === other.id);
    await stack.longhaul.inbox.answer({ id: request?.id ?? '', answer: 'yes' });
  };
  const greeter = await stack.longhaul.project('greeter');
  expect(await answer('Pause the greeter')).toMatchObject({ type: 'answer', text: 'It is paused.' });
  expect(await greeter.status()).toMatchObject({ status: 'PAUSED', reason: 'Lunch.' });
  await allow();
  expect(await answer('Verify it')).toMatchObject({ type: 'answer', text: 'There is nothing to verify.' });
  expect(await answer('Drop the greeter')).toMatchObject({ type: 'answer', text: 'May I end it?' });
  expect((await greeter.status()).status).toBe('PAUSED');
  await allow();
  expect(await answer('Do drop it')).toMatchObject({ type: 'answer', text: 'It has ended.' });
  expect(await greeter.status()).toMatchObject({ status: 'ABANDONED', reason: 'Enough.' });
});

test("delegation stays within the message's tokens", async () => {
  const { turns: before } = await other.usage();
  await other.say('Ask everybody');
  await waitFor('the end', async () => (await other.history()).at(-1)?.status === 'LIMITED');
  const last = (await other.history()).at(-1);
  expect(last?.reason).toContain('100000 tokens (`chat.tokens`)');
  const results = last?.steps.flatMap((step) => (step.type === 'tool' ? [step.result.slice(0, 9)] : []));
  expect(results).toEqual(['and so on', 'and so on', 'Not execu']);
  expect(last?.answer).toBe('Two of three are read.');
  expect(await other.usage()).toMatchObject({ turns: before + 2 + 2 });
});

test('files outlive the idle container', async () => {
  await waitFor('the container to go', async () => (await containers()).length === 0);
  expect((await ask('Is it still there?')).at(-1)).toMatchObject({ text: 'The file is, the variable is not.' });
});

test("a delegate's work is separate from the answer, has a transcript and keeps its limits", async () => {
  const events = await ask('Have it written');
  expect(events.at(-1)).toMatchObject({ type: 'answer', text: 'It greets.' });
  expect(events.flatMap((event) => (event.type === 'tool-ended' ? [event.tool] : []))).toEqual([
    'delegate_code_task',
    'run_command',
  ]);
  expect(events.some((event) => event.type === 'delta' && event.text.includes('I wrote'))).toBe(false);
  const [step] = (await chat.history()).at(-1)?.steps ?? [];
  const run = step?.type === 'tool' ? /longhaul transcript (\S+)\]/.exec(step.result)?.[1] : undefined;
  const transcript = await longhaul('transcript', run ?? '');
  expect(transcript).toContain('Write hello.sh, which greets.');
  expect(transcript).toContain('hello, person');
  expect((await ask('Ask around')).at(-1)).toMatchObject({ type: 'answer', text: 'It went on too long.' });
  expect(await chat.usage()).toMatchObject({ turns: 5 + 2 + 3 + 3 + 2 + 2 + 7 });
});

test('a stopped answer stops its delegates', async () => {
  stack.model.misbehave({ kind: 'hang' }, { match: { role: 'code' }, times: 1 });
  const asked = () => stack.model.requests().filter(({ role }) => role === 'code').length;
  const before = asked();
  const id = await chat.say('Have it written again');
  await waitFor('the delegate to be asked', () => asked() > before);
  await chat.stop(id);
  await waitFor('the end', async () => (await chat.history()).at(-1)?.status === 'STOPPED');
  const connection = await Connection.connect({ address: stack.addresses.temporal });
  const query = `LonghaulChat = "${chat.id}" AND WorkflowType = "delegateWorkflow"`;
  const delegates = async () => {
    const found = [];
    for await (const one of new Client({ connection }).workflow.list({ query })) found.push(one);
    return found.sort((one, another) => another.startTime.getTime() - one.startTime.getTime());
  };
  // Listings lag a moment behind.
  await waitFor('the end of the delegate', async () => {
    const all = await delegates();
    return all.length === 3 && all.every(({ status }) => status.name !== 'RUNNING');
  });
  const run = (await delegates())[0]?.workflowId ?? '';
  await connection.close();
  expect(await longhaul('transcript', run)).toContain('It was stopped.');
  stack.model.behave();
});

test('the data of a deleted chat is removed', async () => {
  const { id = '' } = chat;
  expect(await volumesOf(id)).not.toEqual([]);
  await chat.delete();
  await waitFor('the volumes to go', async () => (await volumesOf(id)).length === 0);
  expect(existsSync(join(stack.home, 'chats', id))).toBe(false);
});
