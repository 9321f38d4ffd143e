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
      if (!signal?.aborted) yield { type: 'message-received', message: text, number: 1, text };
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
  const context = { stdin, stdout, environment: {}, withCommandName } as unknown as CommandContext; // it asks for nothing else
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
