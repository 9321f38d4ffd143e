import { expect, test } from '@jest/globals';
import { alternating, withNote } from '../../../activities/model/conversation-for-model.ts';
import type { Message, MessageRole } from '../../../domain/run/message.ts';

function conversation(...roles: MessageRole[]): Message[] {
  return roles.map((role, number) => ({ number, turn: number, role, content: { text: `${role} ${number}` } }));
}
const goOn = 'Go on where it broke off.';
const rolesOf = (messages: Message[]) => messages.map(({ role }) => role);

test('messages after a stopped answer do not follow each other directly', () => {
  const stopped = conversation('system', 'user', 'user', 'assistant', 'tool', 'user');
  const told = alternating(stopped, goOn);
  expect(rolesOf(told)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'tool', 'assistant', 'user']);
  expect(told.filter((message) => stopped.includes(message))).toEqual(stopped);
  // The first request stays a prefix of the second.
  expect(told.slice(0, 2)).toEqual(alternating(stopped.slice(0, 2), goOn));
});

test('notes join the next message of the person', () => {
  const [asked, answer, , , said] = conversation('user', 'assistant', 'user', 'user', 'user') as Message[];
  const note = (number: number): Message => ({
    ...{ number, turn: 1, role: 'user', content: { text: `note ${number}`, isNote: true } },
  });
  const told = alternating([asked, answer, note(2), note(3), said] as Message[], goOn);
  expect(told.map(({ content }) => content.text)).toEqual(['user 0', 'assistant 1', 'note 2\n\nnote 3\n\nuser 4']);
});

test('an empty answer is sent with a text', () => {
  const [asked, said] = conversation('user', 'assistant') as [Message, Message];
  const empty = { ...said, content: { text: '' } };
  const calling = { ...said, content: { text: '', toolCalls: [{ id: 'c', name: 'list_tasks', arguments: '{}' }] } };
  const result = { ...said, role: 'tool' as const };
  expect(alternating([asked, empty, asked], goOn)[1]?.content.text).toBe('(no answer)');
  expect(alternating([asked, calling, result], goOn)).toEqual([asked, calling, result]);
});

test('a conversation whose messages were all answered is unchanged', () => {
  const answered = conversation('system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'user');
  expect(alternating(answered, goOn)).toEqual(answered);
});

test('a model is told that its answer broke off, and the request keeps its beginning', () => {
  const brokenOff = conversation('system', 'user', 'assistant');
  const told = alternating(brokenOff, goOn);
  expect(told.slice(0, 3)).toEqual(brokenOff);
  expect(told.at(-1)).toMatchObject({ role: 'user', content: { text: goOn } });
  const wentOn = alternating([...brokenOff, ...conversation('assistant', 'user')], goOn);
  expect(rolesOf(wentOn)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
  expect(wentOn.slice(0, 4).map(({ content }) => content)).toEqual(told.map(({ content }) => content));
});

test('a note reaches the next request only', () => {
  const asked = conversation('user', 'assistant', 'tool');
  expect(withNote(asked, 'Say it.').at(-1)?.content.text).toBe('tool 2\n\nSay it.');
  expect(asked.at(-1)?.content.text).toBe('tool 2');
  expect(withNote(conversation('system', 'user'), 'Say it.').at(-1)?.content.text).toBe('user 1\n\nSay it.');
});
