import { createConversationStore } from '../../db/stores/conversation-store.ts';
import type { ConversationStore, NewConversationMessage } from '../../domain/stores/conversations.ts';
import { alternate } from '../alternate.ts';
import { compare, type Measurement } from '../measurement.ts';
import type { BenchStack } from '../stack/bench-stack.ts';

const [short, long] = [10, 10_000];
const rounds = 300;
/** A short conversation takes this many messages, so that it stays short. */
const perShort = 10;
const messagesAtOnce = 500;
const maxRatio = 1.2;

/** The time to add one message to a conversation of ten thousand messages against one of ten. */
export async function measureAppend({ connection, signal }: BenchStack): Promise<Measurement[]> {
  const store = createConversationStore(connection.database);
  const longOne = await fill(store, long);
  const shortOnes: string[] = [];
  for (let count = 0; count <= rounds / perShort; count += 1) shortOnes.push(await fill(store, short));
  const message = (round: number): NewConversationMessage => ({
    role: 'user',
    text: `Message ${round}. ${'word '.repeat(40)}`,
  });
  const times = await alternate(rounds, signal, {
    short: (round) => store.append(shortOnes[Math.floor(round / perShort)] ?? '', message(round)),
    long: (round) => store.append(longOne, message(round)),
  });
  const what = 'adding a message to a conversation of 10,000 against one of 10';
  return [compare(what, times.long, times.short, { most: maxRatio })];
}

/** A conversation of this many messages. */
async function fill(store: ConversationStore, count: number): Promise<string> {
  const { id } = await store.create();
  for (let from = 0; from < count; from += messagesAtOnce) {
    const size = Math.min(messagesAtOnce, count - from);
    const said = Array.from({ length: size }, (_, index): NewConversationMessage => {
      const role = (from + index) % 2 ? 'assistant' : 'user';
      return { role, text: `Message ${from + index}. ${'word '.repeat(40)}` };
    });
    await store.append(id, ...said);
  }
  return id;
}
