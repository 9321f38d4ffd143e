import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { complete } from '../../../../cli/chat/input/complete.ts';
import { readMessages } from '../../../../cli/chat/input/read-messages.ts';
import { createTerminalScreen } from '../../../support/terminal-screen.ts';

let close = () => {};
afterEach(() => close());

/** Conversations that may follow `/sessions`. */
const namesFor = (command: string) => (command === 'sessions' ? Promise.resolve(['garden', 'garage']) : undefined);

function open({ isTTY = false, columns = 80, lines = 24, said = [] as string[] } = {}) {
  const messages: string[] = [];
  const typed: string[] = [];
  const stdin = new PassThrough();
  const stdout = Object.assign(new PassThrough(), { isTTY, columns, rows: lines });
  const screen = createTerminalScreen(columns, lines);
  stdout.setEncoding('utf8').on('data', (text: string) => screen.write(text));
  let ended = false;
  const input = readMessages(
    {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
    },
    {
      onMessage: (text, isGone, asTyped) => {
        messages.push(isGone ? `gone: ${text}` : text);
        typed.push(asTyped);
      },
      onInterrupt: () => void messages.push('interrupted'),
      onOpen: () => void messages.push('open'),
      onEnd: () => {
        ended = true;
      },
      complete: (line) => complete(line, { commands: ['show', 'sessions', 'help'], namesFor, folder: '/nowhere' }),
    },
    { said, moves: isTTY },
  );
  close = () => input.close();
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
  const setLive = async (...lines: string[]) => {
    input.setLive(lines);
    await sleep(10);
  };
  return { stdin, messages, typed, hasEnded: () => ended, input, write, setLive, press, rows: () => screen.rows() };
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

test('output, live lines and typed text do not mix', async () => {
  const { input, write, setLive, press, rows } = open({ isTTY: true, columns: 20 });
  input.show();
  await setLive('Once upon', '(1 s)');
  await press('abc');
  expect(rows()).toEqual(['Once upon', '(1 s)', '> abc']);
  await setLive('Once upon a time', '(2 s)');
  expect(rows()).toEqual(['Once upon a time', '(2 s)', '> abc']);
  await press('\u007f\u007f', ' very long question indeed');
  await setLive('Once upon a time', 'there', '(3 s)');
  expect(rows()).toEqual(['Once upon a time', 'there', '(3 s)', '> a very long questi', 'on indeed']);
  await press('\u0015');
  await write('Once upon a time\n');
  await setLive();
  expect(rows()).toEqual(['Once upon a time', '>']);
});

test('a line as wide as the terminal is neither overwritten nor followed by an empty line', async () => {
  const { input, write, setLive, rows } = open({ isTTY: true, columns: 10 });
  input.show();
  await setLive('0123456789');
  await setLive('日本日本日', 'abc');
  expect(rows()).toEqual(['日本日本日', 'abc', '>']);
  await write('0123456789\n');
  await setLive();
  expect(rows()).toEqual(['0123456789', '>']);
});

test('a message that is sent during an answer waits below it', async () => {
  const { input, write, setLive, press, rows, messages } = open({ isTTY: true, columns: 40 });
  input.show();
  await setLive('Half a sen');
  await press('What \\\r');
  expect(rows()).toEqual(['Half a sen', '> What \\', '…']);
  await setLive('Half a sentence');
  expect(rows()).toEqual(['Half a sentence', '> What \\', '…']);
  await press('else?\r');
  input.setWaiting(1);
  await write('Half a sentence is whole.\n');
  await setLive();
  expect(rows()).toEqual(['Half a sentence is whole.', '(1 waiting) >']);
  await press('more\r');
  expect(rows()).toEqual(['Half a sentence is whole.', '(1 waiting) > more', '(1 waiting) >']);
  input.close();
  await sleep(10);
  expect(messages).toEqual(['gone: What \nelse?', 'more']);
  expect(rows()).toEqual(['Half a sentence is whole.', '(1 waiting) > more', '']);
});

test('input as wide as the terminal costs no line of output', async () => {
  const { input, write, setLive, press, rows } = open({ isTTY: true, columns: 12 });
  input.show();
  await write('one\n');
  await setLive('Half');
  await press('\u001b[200~0123456789\u001b[201~'); // with the prompt it is as long as the screen is wide
  await setLive('Half of it');
  expect(rows()).toEqual(['one', 'Half of it', '> 0123456789', '']);
  await press('\\\r', '\u001b[200~abcdefghi\\\u001b[201~', '\r', 'end');
  await setLive('Half of it a');
  await setLive('Half of it a', 'nd');
  expect(rows()).toEqual(['one', 'Half of it a', 'nd', '> 0123456789', '\\', '… abcdefghi\\', '', '… end']);
});

test('live lines that do not fit show their end', async () => {
  const { input, write, press, rows } = open({ isTTY: true, columns: 20, lines: 6 });
  input.show();
  await write('before\n');
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  for (let count = 1; count <= lines.length; count += 1) input.setLive(lines.slice(0, count));
  await press('abc');
  expect(rows()).toEqual(['before', 'line 26', 'line 27', 'line 28', 'line 29', '> abc']);
  input.write(`${lines.join('\n')}\n`, []);
  await sleep(10);
  expect(rows()).toEqual(['before', ...lines, '> abc']);
});

test('a long paste stands as a few words and is sent whole', async () => {
  const { input, setLive, press, rows, messages, typed } = open({ isTTY: true, columns: 40, lines: 8 });
  input.show();
  const pasted = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\r');
  await setLive('An answer');
  await press('Why? \u001b[200~', pasted, '\u001b[2', '01~');
  expect(rows()).toEqual(['An answer', '> Why? [400 lines pasted]']);
  await press('\r');
  const whole = `Why? ${pasted.replaceAll('\r', '\n')}`;
  await press('\u001b[A\r');
  expect(messages).toEqual([`gone: ${whole}`, `gone: ${whole}`]);
  expect(typed).toEqual(['Why? [400 lines pasted]', 'Why? [400 lines pasted]']);
});

test('an answer arrives while a line taller than the screen is typed', async () => {
  const { input, write, setLive, press, rows } = open({ isTTY: true, columns: 10, lines: 5 });
  input.show();
  await write('Half\n');
  await press('x'.repeat(60));
  await write('of it,\n');
  await setLive('all.');
  await press('\u0015');
  await write('and\n');
  expect(rows().slice(-4)).toEqual(['of it,', 'and', 'all.', '>']);
});

test('what was written since a mark can be erased while it is in reach', async () => {
  const { input, write, setLive, press, rows } = open({ isTTY: true, columns: 20, lines: 8 });
  input.show();
  await write('before\n');
  input.mark();
  await write('one\n');
  await write('two\nthree\n');
  await setLive('live');
  await press('abc');
  expect(input.erase()).toBe(true);
  await sleep(10);
  expect(rows()).toEqual(['before', 'live', '> abc']);
  await write(`${'line\n'.repeat(9)}`);
  expect(input.erase()).toBe(false);
});

test('Tab completes a command, and shows what else may stand there', async () => {
  const { input, press, rows, messages } = open({ isTTY: true, columns: 40 });
  input.show();
  await press('/se\t', 'gar\t');
  expect(rows()).toEqual(['garage  garden', '> /sessions gar']);
  await press('d');
  expect(rows()).toEqual(['> /sessions gard']);
  await press('\t', '\r', '\u000f');
  expect(messages).toEqual(['/sessions garden', 'open']);
});

test('another program has the screen until it ends', async () => {
  const { input, write, setLive, press, rows, messages } = open({ isTTY: true, columns: 40 });
  input.show();
  await setLive('working');
  await press('abc');
  let leave = () => {};
  const over = input.lend(
    () =>
      new Promise<void>((resolve) => {
        leave = resolve;
      }),
  );
  await press('q'); // of the other program
  await write('meanwhile\n');
  expect(rows().filter(Boolean)).toEqual([]);
  leave();
  await over;
  await sleep(20);
  expect(rows().slice(0, 2)).toEqual(['meanwhile', 'working']);
  expect(rows()[2]).toMatch(/^> abc/);
  await press('\r');
  expect(messages).toHaveLength(1);
});

test('recalled messages reach the terminal without control characters', async () => {
  const { press, messages } = open({ isTTY: true, said: ['clear \u001b[2J it'] });
  await press('\u001b[A', '\r');
  expect(messages).toEqual(['clear ␛[2J it']);
});
