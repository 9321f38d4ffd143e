import { expect, test } from '@jest/globals';
import { loadImages } from '../../../activities/model/load-images.ts';
import { sayInstead } from '../../../db/chats/branches.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { deleteChat } from '../../../db/chats/delete-chat.ts';
import { beginExchange, endExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { forkChat } from '../../../db/chats/fork-chat.ts';
import { chatImages } from '../../../db/schema/files.ts';
import { readMessages } from '../../../db/transcript/transcript.ts';
import type { StoredImage } from '../../../domain/chat/images.ts';
import type { ExchangeStatus } from '../../../domain/project/statuses.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
const image: StoredImage = { hash: 'h1', type: 'image/png', content: Buffer.from('a picture') };
const data = Buffer.from('a picture').toString('base64');

/** A chat whose messages had this picture, each ended in this way. */
async function chatWith(id: string, endings: ExchangeStatus[]): Promise<string> {
  await createChat(database, { id, name: id });
  for (const [index, status] of endings.entries()) {
    const message = { chatId: id, id: `m${index}`, text: 'What is it?' };
    await keepExchange(database, { ...message, images: [image] });
    await beginExchange(database, message, { instructions: 'You chat.', model: 'm' });
    await endExchange(database, { ...message, status });
  }
  return `${id}-r1`;
}

async function load(chatId: string, runId: string, textOnly?: string) {
  return loadImages(database, { kind: 'chat', id: chatId }, await readMessages(database, runId), textOnly);
}

async function shownIn(chatId: string, runId: string) {
  const messages = await load(chatId, runId);
  return messages.flatMap(({ role, content }) => (role === 'user' ? [content.images ?? []] : []));
}

test('a picture is stored once for its chat, sent with its message, and removed with the chat', async () => {
  const run = await chatWith('chat-seen', ['ANSWERED', 'ANSWERED']);
  expect(await database.select().from(chatImages)).toHaveLength(1);
  const shown = [{ hash: 'h1', type: 'image/png', data }];
  expect(await shownIn('chat-seen', run)).toEqual([shown, shown]);
  await deleteChat(database, 'chat-seen');
  expect(await database.select().from(chatImages)).toEqual([]);
});

test('a picture that a model refused is in no later request', async () => {
  const run = await chatWith('chat-refused', ['FAILED', 'ANSWERED']);
  expect((await shownIn('chat-refused', run)).map((images) => images.length)).toEqual([0, 1]);
});

test('words that are asked again keep their picture, and a fork has it too', async () => {
  await chatWith('chat-again', ['FAILED']);
  const again = { chatId: 'chat-again', id: 'again', instead: 'm0' };
  expect(await sayInstead(database, { ...again, text: 'What is it?' })).toMatchObject({ images: [{ hash: 'h1' }] });
  await beginExchange(database, again, { instructions: 'You chat.', model: 'm' });
  await endExchange(database, { ...again, status: 'ANSWERED' });
  const { id } = await forkChat(database, 'chat-again', { id: 'chat-forked', name: 'forked' });
  expect((await shownIn(id, `${id}-r1`))[0]).toMatchObject([{ data }]);
});

test('of many pictures the latest are sent, and the others are mentioned', async () => {
  const run = await chatWith(
    'chat-many',
    Array.from({ length: 22 }, () => 'ANSWERED' as const),
  );
  const messages = await load('chat-many', run);
  const asked = messages.filter(({ role }) => role === 'user');
  expect(asked.map(({ content }) => content.images?.length)).toEqual([0, 0, ...Array.from({ length: 20 }, () => 1)]);
  expect(asked[0]?.content.text).toContain('[1 picture is not shown.]');
});

test('a model that takes no pictures is not asked about one, and does not see those of earlier messages', async () => {
  const run = await chatWith('chat-blind', ['ANSWERED', 'ANSWERED']);
  await expect(load('chat-blind', run, 'ollama/blind')).rejects.toMatchObject({
    code: 'ModelTakesNoImages',
    message: 'The model ollama/blind takes no pictures.',
  });
  const words = { chatId: 'chat-blind', id: 'words', text: 'And now?' };
  await keepExchange(database, words);
  await beginExchange(database, words, { instructions: 'You chat.', model: 'm' });
  const asked = (await load('chat-blind', run, 'ollama/blind')).filter(({ role }) => role === 'user');
  expect(asked.map(({ content }) => content.images)).toEqual([[], [], undefined]);
  expect(asked[0]?.content.text).toContain('[1 picture is not shown.]');
});
