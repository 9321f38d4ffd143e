import assert from 'node:assert/strict';
import type { ConversationStore, NewConversationMessage } from '../../domain/stores/conversations.ts';
import { unique } from './contract-case.ts';

export const user = (text: string, more: object = {}): NewConversationMessage => ({ role: 'user', text, ...more });
export const agent = (text: string, ...calls: string[]): NewConversationMessage => ({
  role: 'assistant',
  text,
  toolCalls: calls.map((id) => ({ id, name: 'look', arguments: '{"at":"sky"}' })),
});
export const result = (toolCallId: string, text: string): NewConversationMessage => ({
  role: 'tool',
  toolCallId,
  text,
});

/** Creates a conversation, with these messages said in turns by the two. */
export async function conversation(store: ConversationStore, ...said: string[]): Promise<string> {
  const { id } = await store.create({ id: unique('chat') });
  await store.append(id, ...said.map((text, index) => (index % 2 ? agent(text) : user(text))));
  return id;
}

export async function texts(store: ConversationStore, id: string, page = {}): Promise<string[]> {
  return (await store.messages(id, page)).map(({ text }) => text);
}

export async function numberOf(store: ConversationStore, id: string, text: string): Promise<number> {
  const found = (await store.messages(id, { limit: 10_000 })).find((message) => message.text === text);
  assert.ok(found, `Expected a message "${text}".`);
  return found.number;
}
