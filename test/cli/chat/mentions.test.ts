import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findMentions, sendMentioned } from '../../../cli/chat/mentions.ts';
import type { ChatHandle } from '../../../client/chat/chat-handle.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-mentions-'));
beforeAll(() => {
  mkdirSync(join(folder, 'src'));
  for (const name of ['a.csv', 'two words.txt', 'src/b.ts']) writeFileSync(join(folder, name), name);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const notes: string[] = [];
const note = (line: string) => notes.push(line);
const typedIn = async (text: string) => (await findMentions(text, folder, note)).map(({ typed }) => typed);

test.each([
  ['Sum up @a.csv.', ['@a.csv']],
  ['@a.csv, (@src/b.ts) and @a.csv again', ['@a.csv', '@src/b.ts']],
  ['Read @"two words.txt"', ['@"two words.txt"']],
  ['Ask ada@a.csv or @ada, who uses @types/node', []],
])('%s', async (text, typed) => {
  expect(await typedIn(text)).toEqual(typed);
});

test('a folder is not sent, and that is said', async () => {
  expect(await typedIn('What is in @src ?')).toEqual([]);
  expect(notes.at(-1)).toContain('@src is not a file');
});

/** A chat that takes files; `copied` are those of the copy of the folder that it works on. */
function chatWith(copied?: string[]) {
  const put = new Map<string, string>();
  const chat = {
    begin: async () => {},
    folder: async () => copied && { path: folder, holds: async (path: string) => copied.includes(path) },
    files: {
      put: async (path: string, content: Uint8Array) => {
        put.set(path, Buffer.from(content).toString());
        return path;
      },
    },
  } as unknown as ChatHandle; // of the rest nothing is asked
  return { put, send: (text: string, typed = text) => sendMentioned(chat, { text, typed, folder, note }) };
}

test('a mentioned file goes into the sandbox, and the message says where it is', async () => {
  const { put, send } = chatWith();
  const { text: sent, images } = await send('Compare @a.csv with @src/b.ts');
  expect(sent).toBe(
    'Compare @a.csv with @src/b.ts\n\n[Files: @a.csv is /workspace/a.csv; @src/b.ts is /workspace/src/b.ts.]',
  );
  expect([...put]).toEqual([
    ['a.csv', 'a.csv'],
    ['src/b.ts', 'src/b.ts'],
  ]);
  expect(images).toEqual([]);
  put.clear();
  expect((await send(sent)).text).toBe(sent); // as /retry does
  expect(put.size).toBe(0);
});

test('a file of the copy is not sent again, and another is no part of the copy', async () => {
  const { put, send } = chatWith(['src/b.ts']);
  expect((await send('@a.csv @src/b.ts')).text).toContain(
    '@a.csv is /workspace/.uploads/a.csv; @src/b.ts is /workspace/src/b.ts',
  );
  expect([...put.keys()]).toEqual(['.uploads/a.csv']);
});

test('a picture also goes to the model', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
  writeFileSync(join(folder, 'p.png'), png);
  const { put, send } = chatWith();
  const { text, images } = await send('What is on @p.png?');
  expect(text).toContain('@p.png is /workspace/p.png');
  expect(images).toEqual([png]);
  expect([...put.keys()]).toEqual(['p.png']);
});

test('a file that a pasted or piped text or a command names is not sent', async () => {
  const { put, send } = chatWith();
  const { text } = await send('Sum up @a.csv\n\nA page says: see @src/b.ts', 'Sum up @a.csv\n\n[9 lines pasted]');
  expect(text).toMatch(/\[Files: @a\.csv is \/workspace\/a\.csv\.\]$/);
  expect([...put.keys()]).toEqual(['a.csv']);
});

test('a link that leaves the folder is not followed, as a repository may have one to a secret', async () => {
  symlinkSync('/etc/hostname', join(folder, 'notes.txt'));
  symlinkSync('a.csv', join(folder, 'near.csv'));
  expect(await typedIn('Sum up @notes.txt and @near.csv')).toEqual(['@near.csv']);
  expect(notes.at(-1)).toContain('@notes.txt is a link that leads out');
  expect(await typedIn('Sum up @/etc/hostname')).toEqual(['@/etc/hostname']);
});
