import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { readMessages } from '../../../../client/cli/chat/read-messages.ts';

function open() {
  const messages: string[] = [];
  const stdin = new PassThrough();
  let ended = false;
  readMessages(
    { stdin: stdin as unknown as NodeJS.ReadStream, stdout: new PassThrough() as unknown as NodeJS.WriteStream },
    {
      onMessage: (text) => void messages.push(text),
      onInterrupt() {},
      onEnd: () => {
        ended = true;
      },
    },
  );
  return { stdin, messages, hasEnded: () => ended };
}

test('a pasted text would be sent line by line', async () => {
  const { stdin, messages } = open();
  stdin.write('def f():\n    return 1\n\nWhat does it do?\n');
  await sleep(100);
  stdin.write('And this?\n');
  await sleep(100);
  expect(messages).toEqual(['def f():\n    return 1\n\nWhat does it do?', 'And this?']);
});

test('a backslash at the end of a line would send it, or stay in the message', async () => {
  const { stdin, messages } = open();
  for (const line of ['one \\\n', 'two\\\n', 'three\n']) {
    stdin.write(line);
    await sleep(60);
  }
  expect(messages).toEqual(['one \ntwo\nthree']);
});

test('the last line would be lost when the input ends', async () => {
  const { stdin, messages, hasEnded } = open();
  stdin.end('bye\n');
  await sleep(60);
  expect(messages).toEqual(['bye']);
  expect(hasEnded()).toBe(true);
});
