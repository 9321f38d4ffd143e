import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { readMessages } from '../../../cli/chat/read-messages.ts';
import { createTerminalScreen } from '../../support/terminal-screen.ts';

function open({ isTTY = false, columns = 80, lines = 24, said = [] as string[] } = {}) {
  const messages: string[] = [];
  const stdin = new PassThrough();
  const stdout = Object.assign(new PassThrough(), { isTTY, columns, rows: lines });
  const screen = createTerminalScreen(columns, lines);
  stdout.setEncoding('utf8').on('data', (text: string) => screen.write(text));
  let ended = false;
  const input = readMessages(
    {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      environment: { TERM: 'xterm' },
    },
    {
      onMessage: (text, isGone) => void messages.push(isGone ? `gone: ${text}` : text),
      onInterrupt: () => void messages.push('interrupted'),
      onEnd: () => {
        ended = true;
      },
    },
    { said },
  );
  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      stdin.write(key);
      await sleep(60);
    }
  }
  const write = async (text: string) => {
    input.write(text);
    await sleep(10);
  };
  return { stdin, messages, hasEnded: () => ended, input, write, press, rows: () => screen.rows() };
}

test('a pasted text is one message', async () => {
  const { stdin, messages } = open();
  stdin.write('def f():\n    return 1\n\nWhat does it do?\n');
  await sleep(100);
  stdin.write('And this?\n');
  await sleep(100);
  expect(messages).toEqual(['def f():\n    return 1\n\nWhat does it do?', 'And this?']);
});

test('a backslash at the end of a line continues it and is removed', async () => {
  const { stdin, messages } = open();
  for (const line of ['one \\\n', 'two\\\n', 'three\n']) {
    stdin.write(line);
    await sleep(60);
  }
  expect(messages).toEqual(['one \ntwo\nthree']);
});

test('a pasted shell command or macro keeps its backslashes', async () => {
  const { input, messages, press } = open({ isTTY: true });
  await press('What \\\r', '\u001b[200~docker run \\\r  -it \\\r  alpine\u001b[201~', '\r');
  expect(messages).toEqual(['What \ndocker run \\\n  -it \\\n  alpine']);
  input.close();
});

test('the first line of a pasted file is not a command, even without bracketed paste', async () => {
  const { stdin, messages } = open();
  stdin.write('/etc/nginx.conf:\n  listen 80;\n');
  await sleep(100);
  expect(messages).toEqual(['/etc/nginx.conf:\n  listen 80;']);
});

test('the last line is sent when the input ends', async () => {
  const { stdin, messages, hasEnded } = open();
  stdin.end('bye\n');
  await sleep(60);
  expect(messages).toEqual(['bye']);
  expect(hasEnded()).toBe(true);
});

test('Ctrl-C clears the typed text without leaving', async () => {
  const { messages, press, hasEnded } = open({ isTTY: true });
  await press('begun \\\r', 'and not', '\u0003', 'half', '\u0003', 'Another one.\r', '\u0003');
  expect(messages).toEqual(['Another one.', 'interrupted']);
  expect(hasEnded()).toBe(false);
});

test('the arrows recall earlier messages', async () => {
  const { messages, press } = open({ isTTY: true, said: ['long ago', 'in two\nlines'] });
  await press('first\r', 'second\r', '\u001b[A\u001b[A\r', '\u001b[A again\r');
  await press('\u001b[A'.repeat(5), '\r');
  expect(messages).toEqual(['first', 'second', 'first', 'first again', 'in two lines']);
});

test('a paste without a final line break waits for Enter', async () => {
  const { messages, press } = open({ isTTY: true });
  await press('\u001b[200~one\rtwo\rthree\u001b[201~');
  expect(messages).toEqual([]);
  await press(' and more\r', 'next\r');
  expect(messages).toEqual(['one\ntwo\nthree and more', 'next']);
});

test('a command and the text typed after it stay two inputs while the process is busy', async () => {
  const { stdin, messages } = open({ isTTY: true });
  stdin.write('/sessions cmd\rGo on\r');
  await sleep(60);
  expect(messages).toEqual(['/sessions cmd', 'Go on']);
});

test('output and typed text do not mix', async () => {
  const { input, write, press, rows } = open({ isTTY: true, columns: 20 });
  input.show();
  await write('Once upon ');
  await press('abc');
  expect(rows()).toEqual(['Once upon', '> abc']);
  await write('a time, long ago,');
  expect(rows()).toEqual(['Once upon a time, lo', 'ng ago,', '> abc']);
  await press('\u007f\u007f', ' very long question indeed');
  await write(' there\nwas');
  expect(rows()).toEqual(['Once upon a time, lo', 'ng ago, there', 'was', '> a very long questi', 'on indeed']);
  await press('\u0015');
  await write(' one.\n');
  expect(rows()).toEqual(['Once upon a time, lo', 'ng ago, there', 'was one.', '>']);
});

test('a line as wide as the terminal is neither overwritten nor followed by an empty line', async () => {
  const { input, write, rows } = open({ isTTY: true, columns: 10 });
  input.show();
  await write('0123456789');
  await write('abc');
  expect(rows()).toEqual(['0123456789', 'abc', '>']);
  await write('\n日本日本日本');
  expect(rows().slice(0, 4)).toEqual(['0123456789', 'abc', '日本日本日', '本']);
});

test('output does not break a message that is being typed', async () => {
  const { input, write, press, rows, messages } = open({ isTTY: true, columns: 40 });
  input.show();
  await write('Half a sen');
  await press('What \\\r');
  expect(rows()).toEqual(['Half a sen', '> What \\', '…']);
  await write('tence');
  expect(rows()).toEqual(['Half a sentence', '> What \\', '…']);
  await press('else?\r');
  input.setWaiting(1);
  await write(' is whole.\n');
  expect(rows()).toEqual(['Half a sentence is whole.', '(1 waiting) >']);
  await press('more\r');
  expect(rows()).toEqual(['Half a sentence is whole.', '(1 waiting) > more', '(1 waiting) >']);
  input.close();
  await sleep(10);
  expect(messages).toEqual(['gone: What \nelse?', 'more']);
  expect(rows()).toEqual(['Half a sentence is whole.', '(1 waiting) > more', '']);
});

test('input as wide as the terminal costs no line of output', async () => {
  const { input, write, press, rows } = open({ isTTY: true, columns: 12 });
  input.show();
  await write('one\n');
  await write('Half');
  await press('\u001b[200~0123456789\u001b[201~'); // with the prompt it is as long as the screen is wide
  await write(' of it');
  expect(rows()).toEqual(['one', 'Half of it', '> 0123456789', '']);
  await press('\\\r', '\u001b[200~abcdefghi\\\u001b[201~', '\r', 'end');
  await write(' an');
  await write('d\nmore');
  expect(rows()).toEqual(['one', 'Half of it a', 'nd', 'more', '> 0123456789', '\\', '… abcdefghi\\', '', '… end']);
});

test('a paste taller than the screen does not scroll the output away', async () => {
  const { input, write, press, rows, messages } = open({ isTTY: true, columns: 20, lines: 8 });
  input.show();
  await write('An answer be');
  const pasted = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\r');
  await press(`\u001b[200~${pasted}\u001b[201~`);
  for (const word of ['gins', ' and', ' goes', ' on']) await write(word);
  expect(rows().slice(-3)).toEqual(['gins and goes on', '… 29 lines', '… line 29']);
  expect(rows().filter((row) => row.startsWith('line'))).toEqual([]);
  await press('\r');
  expect(messages).toEqual([`gone: ${pasted.replaceAll('\r', '\n')}`]);
});

test('an answer arrives while a line taller than the screen is typed', async () => {
  const { input, write, press, rows } = open({ isTTY: true, columns: 10, lines: 5 });
  input.show();
  await write('Half');
  await press('x'.repeat(60));
  await write(' of it');
  await press('\u0015');
  await write(', all.');
  expect(rows().slice(-3)).toEqual([' of it, al', 'l.', '>']);
});

test('recalled messages reach the terminal without control characters', async () => {
  const { press, messages } = open({ isTTY: true, said: ['clear \u001b[2J it'] });
  await press('\u001b[A', '\r');
  expect(messages).toEqual(['clear ␛[2J it']);
});
