import { expect, test } from '@jest/globals';
import { alternating, withoutRefused } from '../../../activities/model/conversation-for-model.ts';
import type { Message, MessageContent, MessageRole } from '../../../domain/run/message.ts';

/** A chat of these messages; a person's words begin a turn. */
function chatOf(...told: Array<[MessageRole, string, Partial<MessageContent>?]>): Message[] {
  let turn = 0;
  return told.map(([role, text, content], number) => {
    if (role === 'user') turn += 1;
    return { number, turn, role, content: { text, ...content } };
  });
}
const textsOf = (messages: Message[]) => messages.map(({ content }) => content.text);
const call = { toolCalls: [{ id: 'c', name: 'list_tasks', arguments: '{}' }] };
const leftOut = expect.stringMatching(/refused to answer is omitted here/);

test('a refused message is omitted from later requests', () => {
  const before = chatOf(['system', 's'], ['user', 'Hello.'], ['assistant', 'Hello!']);
  const refused = chatOf(
    ...([
      ...before.map(({ role, content }) => [role, content.text]),
      ['user', 'Something bad.', { said: 'Something bad.' }],
      ['assistant', 'I look.', call],
      ['tool', 'bad things', { toolCallId: 'c' }],
      ['assistant', 'I will', { refused: true, ...call }],
      ['tool', 'Not executed.', { toolCallId: 'c' }],
      ['user', 'What else?'],
      ['assistant', 'Much.'],
      ['user', 'Go on.'],
    ] as Parameters<typeof chatOf>),
  );
  const told = alternating(withoutRefused(refused), 'Go on.');
  expect(textsOf(told)).toEqual(['s', 'Hello.', 'Hello!', leftOut, '(no answer)', 'What else?', 'Much.', 'Go on.']);
  expect(told.slice(0, 3)).toEqual(before); // so that the providers' prompt caches stay valid
  expect(JSON.stringify(told)).not.toMatch(/bad/i);
  const roles = told.slice(1).map(({ role }) => role);
  expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user']);
});

test('a note beside a refused message stays', () => {
  const told = withoutRefused(
    chatOf(
      ['system', 's'],
      ['user', 'Bad.'],
      ['user', 'A note.', { isNote: true }],
      ['assistant', '', { refused: true }],
    ),
  );
  expect(textsOf(told)).toEqual(['s', leftOut, 'A note.']);
});

test('a refused exchange with a summarized beginning leaves no calls or results', () => {
  const [system, , , ...rest] = chatOf(
    ...([
      ['system', 's'],
      ['user', 'Bad.'],
      ['assistant', '', call],
      ['tool', 'bad', { toolCallId: 'c' }],
      ['assistant', '', { refused: true }],
      ['user', 'Go on.'],
    ] as Parameters<typeof chatOf>),
  );
  expect(textsOf(withoutRefused([system as Message, ...rest]))).toEqual(['s', 'Go on.']);
});

test('the task of a delegate is never omitted', () => {
  const task: Message = { number: 0, turn: 0, role: 'user', content: { text: 'Do it.' } };
  const refused: Message = { number: 1, turn: 1, role: 'assistant', content: { text: 'No.', refused: true } };
  expect(withoutRefused([task, refused])).toEqual([task]);
});
