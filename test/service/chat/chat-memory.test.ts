import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { ChatExchange, ChatHandle } from '../../../client/index.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { runCli } from '../../cli/run.ts';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';
import { eventsOf } from '../../support/work/events-of.ts';

const keep = (...found: Array<[kind: string, text: string]>) =>
  JSON.stringify({ keep: found.map(([kind, text]) => ({ kind, text, replaces: null })) });

const talk = [
  { after: 'I keep bees', turns: [{ text: 'How many hives?' }] },
  { after: 'I keep wasps', turns: [{ text: 'Why?' }] },
  { after: 'Where do I live', turns: [{ text: 'In Lisbon.', expect: ['Longhaul recalled', 'Ada lives in Lisbon'] }] },
  { after: 'I live in Lisbon', turns: [{ text: 'Noted.' }] },
  { after: 'I live in a wood', turns: [{ text: 'Nice.' }] },
  { after: 'I mumble', turns: [{ text: 'What?' }] },
  { after: 'And why', turns: [{ text: 'Because.', expect: ['I keep'] }] },
  { after: 'Count', turns: [{ text: 'Counted.' }] },
  { after: 'Look and wait', turns: [call('list_tasks'), call('list_tasks'), { text: 'I looked.' }] },
  { after: 'Look for it', turns: [{ calls: [{ tool: 'read_output', arguments: { message: 1 } }] }, { text: 'No.' }] },
].map((entry) => ({ role: 'chat', ...entry }));
const extracting = [
  { after: 'I live in Lisbon', turns: [{ text: keep(['fact', 'Ada lives in Lisbon.'], ['task', 'Buy curtains.']) }] },
  { after: 'Your answer is invalid', turns: [{ text: keep(['preference', 'Ada mumbles on purpose.']) }] },
  // For all other turns.
  { after: '#', turns: [{ text: keep() }] },
].map((entry) => ({ role: 'summarizer', ...entry }));

let stack: ServiceStack;

beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [...talk, ...extracting] },
    settings: 'export default { chat: { idleMinutes: 0.1 } };\n',
  });
});
afterAll(() => stack?.stop());
afterEach(() => stack.model.behave());

const ask = (chat: ChatHandle, text: string, options: { instead?: string } = {}) => eventsOf(chat.send(text, options));

const run = (...parameters: string[]) => runCli(parameters, { environment: { ...stack.environment } });
const asked = (role: string) => stack.model.requests().filter((request) => request.role === role).length;
/** Only this conversation's: memories of other conversations may be extracted at any time. */
const extractionsOf = (chat: ChatHandle) =>
  stack.model.requests().filter(({ role, run }) => role === 'summarizer' && run?.startsWith(`${chat.id}-`));
const lastOf = async (chat: ChatHandle): Promise<ChatExchange | undefined> => (await chat.history()).at(-1);

/** Waits until memories were extracted from all turns; returns why the last one failed, or null. */
async function untilExtracted(chat: ChatHandle): Promise<string | null> {
  const look = async () => (await chat.history()).map(({ extraction }) => extraction);
  await waitFor('the turns to be looked at', async () =>
    (await look()).every((one) => one?.status === 'DONE' || one?.status === 'FAILED'),
  );
  return (await look()).at(-1)?.reason ?? null;
}

async function memories() {
  const memory = await openMemoryStore({ uri: join(stack.home, 'lancedb') });
  try {
    return await memory.list({ scope: 'everything', history: true });
  } finally {
    await memory.close();
  }
}

test('a changed question is answered without what came after it, and the old branch stays', async () => {
  const bees = await stack.longhaul.chat('bees');
  await ask(bees, 'I keep bees');
  await ask(bees, 'And why?');
  const [first] = await bees.history();
  const events = await ask(bees, 'I keep wasps', { instead: first?.id ?? '' });
  expect(events[0]).toMatchObject({ type: 'message.received', branch: 'r2' });
  expect(events.at(-1)).toMatchObject({ type: 'answer', text: 'Why?' });
  await ask(bees, 'And why?');
  const again = await lastOf(bees);
  await ask(bees, 'And why?', { instead: again?.id ?? '' });
  expect((await bees.history()).map(({ said, answer }) => [said, answer])).toEqual([
    ['I keep wasps', 'Why?'],
    ['And why?', 'Because.'],
  ]);
  expect((await run('chats', 'show', 'bees', '--branch', 'r1')).stdout).toBe(
    '> I keep bees\nHow many hives?\n\n> And why?\nBecause.\n\n',
  );
  expect((await run('chats', 'branches', 'bees')).stdout).toMatch(/r1 .*\n.*r2 +r1 +2 .*\n\* r3 +r2 +2 /);
  const fork = await bees.fork('wasps');
  await ask(fork, 'Count');
  expect((await fork.history()).map(({ answer }) => answer)).toEqual(['Why?', 'Because.', 'Counted.']);
  expect(await bees.history()).toHaveLength(2);
});

test('what was said is known in the next conversation, with its source', async () => {
  const lisbon = await stack.longhaul.chat('lisbon');
  await ask(lisbon, 'I live in Lisbon');
  await untilExtracted(lisbon);
  expect((await lastOf(lisbon))?.kept).toMatchObject([
    { kind: 'fact', outcome: 'added', text: 'Ada lives in Lisbon.' },
    { kind: 'task', outcome: 'added', text: 'Buy curtains.' },
  ]);
  expect((await stack.longhaul.stores.tasks.list()).map(({ title }) => title)).toContain('Buy curtains.');
  expect(await lisbon.usage()).toMatchObject({ turns: 1 });
  const other = await stack.longhaul.chat('elsewhere');
  const events = await ask(other, 'Where do I live, in Lisbon?');
  expect(events).toContainEqual(expect.objectContaining({ type: 'answer.started', recalled: 1 }));
  expect(events.at(-1)).toMatchObject({ text: 'In Lisbon.' });
  await untilExtracted(other);
  const { recollections, recalled } = (await lastOf(other)) ?? {};
  expect(recollections).toMatchObject([
    {
      id: recalled?.[0],
      text: 'Ada lives in Lisbon.',
      why: 'text',
      score: expect.any(Number),
      source: `${lisbon.id}-r1`,
    },
  ]);
});

test('memory extraction does not hold up the next message and outlives the worker', async () => {
  const chat = await stack.longhaul.chat('hurried');
  stack.model.misbehave({ kind: 'hang' }, { match: { role: 'summarizer' }, times: 1 });
  const before = asked('summarizer');
  await ask(chat, 'Count');
  await waitFor('the look at the turn', () => asked('summarizer') > before);
  expect((await ask(chat, 'Count again')).at(-1)).toMatchObject({ text: 'Counted.' });
  await stack.restartWorker();
  expect(await untilExtracted(chat)).toBeNull();
  expect((await chat.history()).map(({ extraction }) => extraction?.status)).toEqual(['DONE', 'DONE']);
  expect(await chat.usage()).toMatchObject({ turns: 2 });
});

test('an invalid extraction is asked for again, a limited number of times', async () => {
  const chat = await stack.longhaul.chat('mumbling');
  stack.model.misbehave({ kind: 'empty-answer' }, { match: { role: 'summarizer' }, times: 2 });
  await ask(chat, 'I mumble');
  expect(await untilExtracted(chat)).toContain('not JSON');
  expect(extractionsOf(chat)).toHaveLength(2);
  stack.model.misbehave({ kind: 'empty-answer' }, { match: { role: 'summarizer' }, times: 1 });
  await ask(chat, 'I mumble again');
  expect(await untilExtracted(chat)).toBeNull();
  expect((await lastOf(chat))?.kept).toMatchObject([{ text: 'Ada mumbles on purpose.', outcome: 'added' }]);
  expect(extractionsOf(chat)).toHaveLength(4);
  stack.model.misbehave({ kind: 'status', status: 400, message: 'no such model' }, { match: { role: 'summarizer' } });
  await ask(chat, 'Count');
  expect(await untilExtracted(chat)).toContain('no such model');
  expect(extractionsOf(chat)).toHaveLength(5);
});

test('a conversation without memory neither recalls nor remembers', async () => {
  const before = await memories();
  const environment = { ...stack.environment };
  const parameters = ['chat', '--session', 'quiet', '--no-memory', '-m'];
  expect(await runCli([...parameters, 'I live in a wood, in Lisbon'], { environment })).toMatchObject({
    exitCode: 0,
    stdout: 'Nice.\n',
  });
  expect(await runCli([...parameters, 'Look for it'], { environment })).toMatchObject({ exitCode: 0 });
  expect(await runCli(['chat', '--session', 'lisbon', '--no-memory', '-m', 'Count'], { environment })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('has memory; --no-memory applies only to new conversations'),
  });
  const quiet = await stack.longhaul.existingChat('quiet');
  expect((await quiet.history()).map(({ recalled }) => recalled)).toEqual([[], []]);
  stack.model.behave();
  expect((await ask(quiet, 'Look and wait')).at(-1)).toMatchObject({
    type: 'failure',
    reason: expect.stringContaining('calls list_tasks'),
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(extractionsOf(quiet)).toEqual([]);
  expect(await memories()).toHaveLength(before.length);
});
