import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { converse } from '../../../cli/chat/converse.ts';
import type { CommandContext } from '../../../cli/program/command-context.ts';
import type { ChatHandle } from '../../../client/chat/chat-handle.ts';
import { ClientError } from '../../../client/errors.ts';
import type { Longhaul } from '../../../client/longhaul.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A conversation in which one more message is said, once it is told to go on. */
function conversation(name: string, text: string, goesOn: Promise<void>): ChatHandle {
  const chat: Partial<ChatHandle> = {
    ...{ id: `chat-${name}`, name, memory: true },
    agent: async () => null,
    history: async () => [],
    async *watch({ signal } = {}) {
      const left = new Promise((resolve) => signal?.addEventListener('abort', resolve));
      await Promise.race([left, goesOn]);
      if (!signal?.aborted) yield { type: 'message.received', message: text, number: 1, text };
      await left;
    },
  };
  return chat as ChatHandle;
}

test('switching conversations works while the server is away', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let shown = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const untilShown = (text: string) => waitFor(`"${text}"`, () => shown.includes(text));
  let goOn = () => {};
  const goesOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const first = conversation('first', 'Said in the first one.', goesOn);
  const second = conversation('second', 'Said in the second one.', Promise.resolve());
  let isAway = true;
  second.history = async () => {
    if (isAway) throw new ClientError('DatabaseUnreachable', 'Postgres is away.');
    return [];
  };
  const withCommandName = (text: string) => text;
  const places = { folder: '/nowhere', configuration: async () => ({ home: '/nowhere' }) };
  const context = { stdin, stdout, environment: {}, withCommandName, ...places } as unknown as CommandContext; // it asks for nothing else
  const over = converse(context, { chat: async () => second } as unknown as Longhaul, first);
  await untilShown('[first; /help shows the commands]');
  stdin.write('/sessions second\n');
  await untilShown('Postgres is away.');
  goOn();
  await untilShown('Said in the first one.');
  isAway = false;
  stdin.write('/sessions second\n');
  await untilShown('[second]');
  await untilShown('Said in the second one.');
  stdin.end();
  expect(await over).toBe(0);
});

test('a command of the data folder sends its text without the files that it names, and a file that cannot be used is told at the start', async () => {
  const home = mkdtempSync(join(tmpdir(), 'longhaul-converse-'));
  mkdirSync(join(home, 'commands'));
  const secret = join(home, 'secret');
  writeFileSync(secret, 'A key.');
  writeFileSync(join(home, 'commands', 'review.md'), `Review $1 @${secret}`);
  writeFileSync(join(home, 'commands', 'help.md'), 'Mine.');
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let shown = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const said: string[] = [];
  const chat = conversation('one', '', new Promise(() => {}));
  chat.say = async (text) => {
    said.push(text);
    return '';
  };
  const places = { folder: '/nowhere', configuration: async () => ({ home }) };
  const context = { stdin, stdout, environment: {}, withCommandName: (text: string) => text, ...places };
  const over = converse(context as unknown as CommandContext, {} as Longhaul, chat); // it asks for nothing else
  await waitFor('the complaint', () => shown.includes('/help is a command of Longhaul. Rename the file.'));
  stdin.write('/review main.ts\n');
  await waitFor('the message', () => said.length > 0);
  stdin.end();
  expect(await over).toBe(0);
  expect(said).toEqual([`Review main.ts @${secret}`]);
  rmSync(home, { recursive: true });
});

test('what is typed after the question of a command is its answer and no message', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let shown = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const untilShown = (text: string) => waitFor(`"${text}"`, () => shown.includes(text));
  const chat = conversation('folder', '', new Promise(() => {}));
  const applied: unknown[] = [];
  const said: string[] = [];
  const file = (path: string) => ({ path, kind: 'added', before: undefined, after: { hash: path, executable: false } });
  const plan = {
    ...{ changes: [file('a.txt'), file('.envrc')], done: [], conflicts: [], refused: undefined, contents: new Map() },
    asked: [{ path: '.envrc', rule: 'a rule' }],
  };
  Object.assign(chat, {
    say: async (text: string) => said.push(text),
    folder: async () => ({
      path: '/p',
      plan: async () => plan,
      apply: async (...given: unknown[]) => applied.push(given),
    }),
  });
  const withCommandName = (text: string) => text;
  const places = { folder: '/nowhere', configuration: async () => ({ home: '/nowhere' }) };
  const context = { stdin, stdout, environment: {}, withCommandName, ...places } as unknown as CommandContext; // it asks for nothing else
  const over = converse(context, {} as Longhaul, chat);
  stdin.write('/apply\n');
  await untilShown('Write 1 file to /p? [y/N]');
  stdin.write('y\n');
  await untilShown('.envrc (a rule)');
  await untilShown('Write it too? [y/N]');
  stdin.write('no\n');
  await untilShown('Written to /p: 1 file.');
  stdin.write('/apply\n');
  await waitFor('the second question', () => shown.split('Write 1 file').length === 3);
  stdin.end(); // leaving is no yes
  expect(await over).toBe(0);
  expect(applied).toEqual([[plan, { without: ['.envrc'] }]]);
  expect(said).toEqual([]);
});
