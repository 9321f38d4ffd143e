import type { Message } from '../db/transcript/message.ts';

const unanswered = { text: '(no answer)' };

/**
 * A chat's messages with a word of the assistant wherever there is none: for an empty answer, and where a person spoke again without one,
 * since it was stopped or had failed. Some servers take a conversation only where both speak in turns. What stands before it stays as it
 * was sent then, so that the providers' caches find what they know.
 */
export function withUnanswered(messages: Message[]): Message[] {
  const told = withNotes(messages);
  return told.flatMap((message, index) => {
    const { role, content } = message;
    const before = told[index - 1]?.role;
    if (role === 'user' && (before === 'user' || before === 'tool'))
      return [{ ...message, role: 'assistant' as const, content: unanswered }, message];
    const isEmpty = role === 'assistant' && !content.text && !content.toolCalls?.length;
    return [isEmpty ? { ...message, content: { ...content, ...unanswered } } : message];
  });
}

/** The messages with each note before the words of the person that follow it, since it waits for no answer. */
function withNotes(messages: Message[]): Message[] {
  let notes: string[] = [];
  return messages.flatMap((message) => {
    const { role, content } = message;
    if (content.isNote) {
      notes.push(content.text);
      return [];
    }
    if (role !== 'user' || notes.length === 0) return [message];
    const text = [...notes, content.text].join('\n\n');
    notes = [];
    return [{ ...message, content: { ...content, text } }];
  });
}

/** The messages with a note behind the last tool result; it is for this call alone, and is not stored. */
export function withNote(messages: Message[], note: string): Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return messages;
  return [...messages.slice(0, -1), { ...last, content: { ...last.content, text: `${last.content.text}\n\n${note}` } }];
}
