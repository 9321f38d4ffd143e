import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  createReadStream,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readQuestion } from '../../../cli/chat/read-question.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-question-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A pipe as a process finds it on its standard input; what writes to it has it open. */
function openPipe(name: string) {
  const path = join(folder, name);
  spawnSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, 'w');
  return { stdin: Object.assign(new Socket({ fd, readable: true, writable: false }), { fd }), writer };
}

async function ask(stdin: Readable & { fd?: number }, message?: string, timeoutMs = 60_000) {
  const notes: string[] = [];
  const context = { stdin: stdin as unknown as NodeJS.ReadStream, note: (text: string) => void notes.push(text) };
  return { question: await readQuestion(context, { message, command: 'chat' }, timeoutMs), notes };
}

test('piped text follows the question of -m', async () => {
  const { stdin, writer } = openPipe('diff');
  const asked = ask(stdin, 'Review this: \n', 500);
  for (const piece of ['-old\n', '+new\n', '\n']) {
    writeSync(writer, piece);
    await sleep(300); // together longer than one may wait for the first
  }
  closeSync(writer);
  expect(await asked).toEqual({ question: 'Review this:\n\n-old\n+new', notes: [] });
});

test('the text of a file on standard input is read', async () => {
  const path = join(folder, 'notes.md');
  writeFileSync(path, '    # Notes\n');
  const fd = openSync(path, 'r');
  const stdin = Object.assign(createReadStream('', { fd }), { fd });
  expect(await ask(stdin, 'Shorten it.')).toEqual({ question: 'Shorten it.\n\n    # Notes', notes: [] });
});

test('a question is sent although its caller leaves the pipe open', async () => {
  const open = openPipe('open');
  const since = performance.now();
  expect(await ask(open.stdin, 'What grows in shade?', 200)).toEqual({
    question: 'What grows in shade?',
    notes: [expect.stringMatching(/^The pipe sent nothing for 0\.2 s, so the question is asked without it\./)],
  });
  expect(performance.now() - since).toBeLessThan(30_000);
  expect(open.stdin.destroyed).toBe(true); // it would keep the process
  closeSync(open.writer);
  const empty = openPipe('empty');
  writeSync(empty.writer, ' \n');
  closeSync(empty.writer);
  expect(await ask(empty.stdin, 'And now?')).toEqual({ question: 'And now?', notes: [] });
});

test('a question does not wait for a device, socket or closed input', async () => {
  const asked = { question: 'Well?', notes: [] };
  const never = (fd?: number) => Object.assign(new PassThrough(), fd !== undefined && { fd });
  const device = openSync('/dev/null', 'r');
  expect(await ask(never(device), 'Well?')).toEqual(asked);
  closeSync(device);
  expect(await ask(never(device), 'Well?')).toEqual(asked);
  expect(await ask(never(), 'Well?')).toEqual(asked);
  const server = createServer().listen(join(folder, 'socket'));
  const socket = connect(join(folder, 'socket'));
  await new Promise((resolve) => socket.once('connect', resolve));
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  expect(await ask(never(fd), 'Well?')).toEqual(asked);
  socket.destroy();
  server.close();
});

test('a question from a pipe alone is asked; an empty one is refused', async () => {
  const { stdin, writer } = openPipe('alone');
  writeSync(writer, 'What is this?\n');
  closeSync(writer);
  expect(await ask(stdin)).toEqual({ question: 'What is this?', notes: [] });
  await expect(ask(new PassThrough().end(' \n'))).rejects.toThrow('Expected a question with -m or from a pipe');
  await expect(ask(new PassThrough(), ' ')).rejects.toThrow('Expected a question with -m or from a pipe');
  expect(await ask(Object.assign(new PassThrough(), { isTTY: true }))).toEqual({ question: undefined, notes: [] });
});

test.each([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from('a\0b')])(
  'a picture or other bytes are no text',
  async (bytes) => {
    await expect(ask(new PassThrough().end(bytes))).rejects.toThrow('Expected UTF-8 text on standard input');
    const { stdin, writer } = openPipe(`bytes-${bytes.length}`);
    writeSync(writer, bytes);
    closeSync(writer);
    await expect(ask(stdin, 'What is this?')).rejects.toThrow('Expected UTF-8 text on standard input');
  },
);
