import { expect, test } from '@jest/globals';
import { chatNameOf } from '../../../client/chat/chat-row.ts';
import { createChatId } from '../../../client/project/project-id.ts';

test.each([
  ['What grows in shade, and what does not?', 'what-grows-in-shade-and'],
  ['Was blüht im Mai?', 'was-blüht-im-mai'],
  ['Что растёт в тени?', 'что-растёт-в-тени'],
  ['什么花在阴凉处生长？', '什么花在阴凉处生长'],
  ['छाया में क्या उगता है?', 'छाया-में-क्या-उगता-है'],
  ['ＧＰＴで書く', 'gptで書く'],
  ['❤️ 🌱', 'chat'],
  ['花'.repeat(300), '花'.repeat(40)],
  ['𠮷'.repeat(300), '𠮷'.repeat(20)],
  [`x${'𠮷'.repeat(300)}`, `x${'𠮷'.repeat(19)}`],
])('conversations get a name in any script: %j', (text, name) => {
  expect(chatNameOf(text)).toBe(name);
});

test('a chat id fits workflows, folders and containers', () => {
  expect(createChatId('什么花')).toMatch(/^chat-chat-[a-z0-9]{6}$/);
  expect(createChatId('was-blüht-im-mai')).toMatch(/^chat-was-bluht-im-mai-[a-z0-9]{6}$/);
});
