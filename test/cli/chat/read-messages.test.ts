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

test('a shell command or a macro that is pasted would lose the backslashes at the ends of its lines', async () => {
  const { input, messages, press } = open({ isTTY: true });
  await press('What \\\r', '\u001b[200~docker run \\\r  -it \\\r  alpine\u001b[201~', '\r');
  expect(messages).toEqual(['What \ndocker run \\\n  -it \\\n  alpine']);
  input.close();
});

test('the first line of a pasted file would be taken for a command, where the terminal does not tell what is pasted', async () => {
  const { stdin, messages } = open();
  stdin.write('/etc/nginx.conf:\n  listen 80;\n');
  await sleep(100);
  expect(messages).toEqual(['/etc/nginx.conf:\n  listen 80;']);
});

test('the last line would be lost when the input ends', async () => {
  const { stdin, messages, hasEnded } = open();
  stdin.end('bye\n');
  await sleep(60);
  expect(messages).toEqual(['bye']);
  expect(hasEnded()).toBe(true);
});

test('Ctrl-C would leave, or end the process, and throw away what is typed', async () => {
  const { messages, press, hasEnded } = open({ isTTY: true });
  await press('begun \\\r', 'and not', '\u0003', 'half', '\u0003', 'Another one.\r', '\u0003');
  expect(messages).toEqual(['Another one.', 'interrupted']);
  expect(hasEnded()).toBe(false);
});

test('what was typed before could not be fetched with the arrows', async () => {
  const { messages, press } = open({ isTTY: true, said: ['long ago', 'in two\nlines'] });
  await press('first\r', 'second\r', '\u001b[A\u001b[A\r', '\u001b[A again\r');
  await press('\u001b[A'.repeat(5), '\r');
  expect(messages).toEqual(['first', 'second', 'first', 'first again', 'in two lines']);
});

test('a paste without a line break at its end would be sent without its last line, or before Enter', async () => {
  const { messages, press } = open({ isTTY: true });
  await press('\u001b[200~one\rtwo\rthree\u001b[201~');
  expect(messages).toEqual([]);
  await press(' and more\r', 'next\r');
  expect(messages).toEqual(['one\ntwo\nthree and more', 'next']);
});

test('a command and what is typed after it would become one, where the process was busy', async () => {
  const { stdin, messages } = open({ isTTY: true });
  stdin.write('/sessions cmd\rGo on\r');
  await sleep(60);
  expect(messages).toEqual(['/sessions cmd', 'Go on']);
});

test('what is being written would be mixed with what is typed meanwhile, or be wiped with it', async () => {
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

test('a line that fills the width would be overwritten by the next words, or followed by an empty one', async () => {
  const { input, write, rows } = open({ isTTY: true, columns: 10 });
  input.show();
  await write('0123456789');
  await write('abc');
  expect(rows()).toEqual(['0123456789', 'abc', '>']);
  await write('\n日本日本日本');
  expect(rows().slice(0, 4)).toEqual(['0123456789', 'abc', '日本日本日', '本']);
});

test('a message that is typed while a line is written would break that line', async () => {
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

test('a line that was typed or pasted to the very end of the width would cost a line of what is written', async () => {
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

test('a paste that is taller than the screen would push what is written out of it, piece by piece', async () => {
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

test('an answer would be lost while a line is typed that is taller than the screen', async () => {
  const { input, write, press, rows } = open({ isTTY: true, columns: 10, lines: 5 });
  input.show();
  await write('Half');
  await press('x'.repeat(60));
  await write(' of it');
  await press('\u0015');
  await write(', all.');
  expect(rows().slice(-3)).toEqual([' of it, al', 'l.', '>']);
});

test('words that were stored with control characters would reach the terminal by the arrows', async () => {
  const { press, messages } = open({ isTTY: true, said: ['clear \u001b[2J it'] });
  await press('\u001b[A', '\r');
  expect(messages).toEqual(['clear ␛[2J it']);
});
