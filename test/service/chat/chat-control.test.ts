import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ChatHandle } from '../../../client/index.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { runCli } from '../../cli/run.ts';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';
import { eventsOf } from '../../support/work/events-of.ts';

/** A call that changes nothing and brings an error, since there is no such message. */
const look = call('read_output', { message: 99 });

const script = {
  entries: [
    { after: 'Tell me a story', turns: [{ text: 'It was long ago.' }] },
    { after: 'Count', turns: [{ text: 'Counted.' }] },
    { after: 'Who answers', turns: [{ text: 'The assistant.', expect: ['You are the assistant of one person'] }] },
    { after: 'Look twice', turns: [look, { text: 'Nothing is there.' }] },
    {
      after: 'Search everywhere',
      turns: [look, look, look, { text: 'I looked in three places.', expect: ['This is your last answer'] }],
    },
    { after: 'Never say', turns: [look, look, look, look] },
  ].map((entry) => ({ role: 'chat', ...entry })),
};

let stack: ServiceStack;

beforeAll(async () => {
  const settings = 'export default { chat: { idleMinutes: 0.2 }, maxTurns: { chat: 4 } };\n';
  stack = await startServiceStack({ script, settings });
});
afterAll(() => stack?.stop());
afterEach(() => stack.model.behave());

/** Requests for an answer; those that look for what to keep of one come when they come. */
const requests = () => stack.model.requests().filter(({ role }) => role === 'chat');
const asked = () => requests().length;
const hang = () => stack.model.misbehave({ kind: 'hang' }, { match: { role: 'chat' }, times: 1 });
const saidIn = async (name: string) =>
  (await (await stack.longhaul.existingChat(name)).history()).map(({ said, status, answer }) => [said, status, answer]);
const untilOver = (chat: ChatHandle) =>
  waitFor('the end of all answers', async () =>
    (await chat.history()).every(({ status }) => status !== 'WAITING' && status !== 'RUNNING'),
  );

/** `longhaul chat` in a terminal of its own, which `script` of util-linux makes. */
function openTerminal(...parameters: string[]) {
  const command = [process.execPath, join(packageRoot(), 'bin', 'longhaul.cjs'), 'chat', ...parameters];
  const child = spawn('script', ['-qfec', command.map((part) => `'${part}'`).join(' '), '/dev/null'], {
    env: { ...stack.environment, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const untilShown = (text: string, from = 0) =>
    waitFor(`${text} in a terminal`, () => shown.slice(from).includes(text)).catch((error: Error) => {
      throw new Error(`${error.message} It showed: ${JSON.stringify(shown.slice(from))}`);
    });
  return {
    ended,
    untilShown,
    press: (keys: string) => void child.stdin.write(keys),
    async type(line: string, answer: string): Promise<void> {
      const from = shown.length;
      child.stdin.write(`${line}\r`);
      await untilShown(answer, from + line.length);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

const chat = (...parameters: string[]) => runCli(['chat', ...parameters], { environment: { ...stack.environment } });

test('a stop or an interrupting message at the beginning of an answer works', async () => {
  const early = await stack.longhaul.chat('early');
  // So that no answer is complete before it is stopped.
  stack.model.misbehave({ kind: 'delay', milliseconds: 5_000 }, { match: { role: 'chat' }, times: 3 });
  await early.say('Tell me a story');
  await early.stop();
  await untilOver(early);
  expect(await saidIn('early')).toEqual([['Tell me a story', 'STOPPED', '']]);
  await early.say('Tell me a story, the first');
  await early.say('Count at once', { now: true });
  await untilOver(early);
  const story = expect.stringMatching(/STOPPED|WAITING/);
  const told = (await saidIn('early')).slice(1);
  expect(told).toContainEqual(['Count at once', 'ANSWERED', 'Counted.']);
  // Where it had not begun, it comes behind the one that interrupts, and is answered.
  if (told[0]?.[0] !== 'Count at once') expect(told[0]).toEqual(['Tell me a story, the first', story, '']);
  stack.model.behave();
  // Nothing is being answered, so that it stops nothing that comes, also where the workflow has not yet looked whether anything does.
  for (const said of ['Count after a rest', 'Count again', 'Count once more']) {
    await early.stop();
    await early.say(said);
    await untilOver(early);
    expect((await saidIn('early')).at(-1)).toEqual([said, 'ANSWERED', 'Counted.']);
  }
});

test('a model server that sends without end holds up no other chat and no stop', async () => {
  const [flooded, other] = await Promise.all([stack.longhaul.chat('flooded'), stack.longhaul.chat('beside')]);
  stack.model.misbehave({ kind: 'flood', text: ': the model is thinking\n' }, { match: { role: 'chat' }, times: 1 });
  const before = asked();
  await flooded.say('Tell me a story');
  await waitFor('the model to be asked', () => asked() > before);
  expect((await eventsOf(other.send('Count'))).at(-1)).toMatchObject({ type: 'answer', text: 'Counted.' });
  await flooded.stop();
  await untilOver(flooded);
  // The flood may have ended by itself before the stop arrived.
  expect(['STOPPED', 'FAILED']).toContain((await flooded.history()).at(-1)?.status);
});

test('a paused answer is shown as paused, and can be stopped; a message ends a pause', async () => {
  const paused = await stack.longhaul.chat('paused');
  // Long enough for the pause to come during the model call.
  stack.model.misbehave({ kind: 'delay', milliseconds: 5_000 }, { match: { role: 'chat' }, times: 1 });
  const before = asked();
  const id = await paused.say('Look twice');
  await waitFor('the model to be asked', () => asked() > before);
  expect(await paused.pause()).toBe(true);
  await waitFor('the call to finish', async () => ((await paused.history())[0]?.steps.length ?? 0) > 0);
  const connection = await Connection.connect({ address: stack.addresses.temporal });
  const handle = new Client({ connection }).workflow.getHandle(paused.id ?? '');
  await waitFor('the pause to be shown', async () =>
    JSON.stringify(await handle.query('__temporal_workflow_metadata')).includes('**Paused**'),
  );
  await connection.close();
  await paused.stop(id);
  await untilOver(paused);
  expect(await saidIn('paused')).toMatchObject([['Look twice', 'STOPPED', '']]);
  await paused.pause();
  expect((await eventsOf(paused.send('Count, since a message goes on'))).at(-1)).toMatchObject({ text: 'Counted.' });
});

test('an interrupting message comes before waiting ones', async () => {
  const urgent = await stack.longhaul.chat('urgent');
  hang();
  const before = asked();
  await urgent.say('Tell me a story');
  await waitFor('the model to be asked', () => asked() > before);
  await urgent.say('Count what waits');
  await urgent.say('Count at once', { now: true });
  await untilOver(urgent);
  expect((await saidIn('urgent')).map(([said, status]) => [said, status])).toEqual([
    ['Tell me a story', 'STOPPED'],
    ['Count at once', 'ANSWERED'],
    ['Count what waits', 'ANSWERED'],
  ]);
});

test('a repeated wake-up for an answered message stops nothing', async () => {
  const late = await stack.longhaul.chat('late');
  const now = await late.say('Count at once', { now: true });
  await untilOver(late);
  // Long enough for the wake to come while the model is asked.
  stack.model.misbehave({ kind: 'delay', milliseconds: 5_000 }, { match: { role: 'chat' }, times: 1 });
  const before = asked();
  await late.say('Tell me a story');
  await waitFor('the model to be asked', () => asked() > before);
  const connection = await Connection.connect({ address: stack.addresses.temporal });
  await new Client({ connection }).workflow.getHandle(late.id ?? '').signal('wake', { now });
  await connection.close();
  await untilOver(late);
  expect((await saidIn('late')).at(-1)).toEqual(['Tell me a story', 'ANSWERED', 'It was long ago.']);
});

test('an answer that reaches a limit says what was found and that it is incomplete', async () => {
  const reached = expect.stringContaining('The message reached its limit of 4 model calls');
  const found = await chat('--session', 'limits', '-m', 'Search everywhere');
  expect(found).toMatchObject({ exitCode: 0, stdout: 'I looked in three places.\n', stderr: reached });
  expect(await chat('--session', 'limits', '-m', 'Never say')).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: reached,
  });
  const history = await (await stack.longhaul.existingChat('limits')).history();
  const looked = { type: 'tool', failed: true, result: expect.not.stringContaining('Not executed.') };
  expect(history).toMatchObject([
    { steps: [looked, looked, looked, { type: 'text' }] },
    { steps: [looked, looked, looked, { ...looked, result: expect.stringContaining('Not executed.') }] },
  ]);
  expect(await chat('--session', 'limits', '-m', 'Count')).toMatchObject({ exitCode: 0, stdout: 'Counted.\n' });
});

test('each typed command works and is not sent to the agent; Ctrl-C stops the answer, and pressed again ends the conversation', async () => {
  const terminal = openTerminal('--session', 'commands');
  try {
    await terminal.untilShown('/help shows the commands');
    await terminal.type('/help', 'then exits.');
    await terminal.type('/now', 'Expected a message after /now.');
    await terminal.type('/model', 'The model is scripted.');
    await terminal.type('/model openai/another', 'The model is openai/another from the next message on.');
    await terminal.type('/model', 'The model is openai/another.');
    await terminal.type('Count', 'Counted.');
    const modelOf = async () => (await stack.longhaul.chats()).find(({ name }) => name === 'commands')?.model;
    expect(await modelOf()).toBe('openai/another');
    await terminal.type('/model default', 'The model is scripted from the next message on.');
    expect(await modelOf()).toBeNull();

    hang();
    const before = asked();
    terminal.press('Tell me a story\r');
    await waitFor('the model to be asked', () => asked() > before);
    await terminal.type('/now Count at once', 'Counted.');

    // Long enough for the pause to come while the model is asked.
    stack.model.misbehave({ kind: 'delay', milliseconds: 5_000 }, { match: { role: 'chat' }, times: 1 });
    const paused = asked();
    terminal.press('Look twice\r');
    await waitFor('the model to be asked', () => asked() > paused);
    await terminal.type('/pause', 'Paused. /resume or a message continues.');
    const commands = await stack.longhaul.existingChat('commands');
    const latest = async () => (await commands.history({ last: 1 }))[0];
    await waitFor('the call in flight to end', async () => ((await latest())?.steps.length ?? 0) > 0);
    await sleep(1_500); // the tool that it asks for does not begin
    expect(requests().at(-1)).toMatchObject({ outcome: 'answered' });
    expect(asked()).toBe(paused + 1);
    expect(await latest()).toMatchObject({ status: 'RUNNING', steps: [{ tool: 'read_output', failed: null }] });
    await terminal.type('/resume', 'Nothing is there.');

    async function tellEndlessStory(): Promise<void> {
      await untilOver(commands); // words are shown before they are stored
      hang();
      const waiting = asked();
      terminal.press('Tell me a story, another one\r');
      await waitFor('the model to be asked', () => asked() > waiting);
      terminal.press('\u0003');
    }
    await tellEndlessStory();
    await terminal.untilShown('[stopping; Ctrl-C again exits]');
    await terminal.untilShown('[stopped]');
    await tellEndlessStory();
    terminal.press('\u0003');
    expect(await terminal.ended).toBe(0);
    await untilOver(commands);
    expect((await saidIn('commands')).map(([said, status]) => [said, status])).toEqual([
      ['Count', 'ANSWERED'],
      ['Tell me a story', 'STOPPED'],
      ['Count at once', 'ANSWERED'],
      ['Look twice', 'ANSWERED'],
      ['Tell me a story, another one', 'STOPPED'],
      ['Tell me a story, another one', 'STOPPED'],
    ]);
  } finally {
    terminal.kill();
  }
});

test('a chat is answered by the model and the agent that it is started with', async () => {
  const answered = { exitCode: 0, stdout: 'Counted.\n' };
  const counter = join(stack.home, 'counter');
  await mkdir(counter);
  await writeFile(join(counter, 'agent.md'), '---\nname: counter\ndescription: Counts.\n---\nYou count.\n');
  expect(await chat('--session', 'other', '--model', 'openai/another', '-m', 'Count')).toMatchObject(answered);
  expect(await chat('--session', 'own', '--agent', counter, '-m', 'Count')).toMatchObject(answered);
  const chats = await stack.longhaul.chats();
  expect(chats.find(({ name }) => name === 'other')).toMatchObject({ model: 'openai/another', agent: null });
  expect(chats.find(({ name }) => name === 'own')).toMatchObject({ model: null, agent: { name: 'counter' } });
  const events = await eventsOf((await stack.longhaul.chat('other')).send('Count again'));
  expect(events).toContainEqual(expect.objectContaining({ type: 'answer.started', model: 'openai/another' }));
  const own = await stack.longhaul.existingChat('own');
  const { messages } = await stack.longhaul.transcript(`${own.id}-r1`);
  expect(messages[0]?.content.text).toContain('You count.');
  expect(await chat('--session', 'own', '--agent', 'default', '-m', 'Who answers')).toMatchObject({
    exitCode: 0,
    stdout: 'The assistant.\n',
    stderr: expect.stringContaining('Agent changed: the assistant'),
  });
});
