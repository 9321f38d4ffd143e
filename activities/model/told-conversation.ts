import type { Message } from '../../domain/run/message.ts';

const unanswered = { text: '(no answer)' };

/**
 * Has both sides of a conversation alternate, which some servers require. An assistant message is added wherever there is none: for an empty answer,
 * and where a person spoke again because an answer was stopped or failed. `goOn` is added, as a user's words, behind an answer that broke off, where
 * the model goes on with it. Everything before an addition stays as it was sent, so that the providers' prompt caches stay valid.
 */
export function alternating(messages: Message[], goOn: string): Message[] {
  const told = withNotes(messages);
  const alternated = told.flatMap((message, index) => {
    const { role, content } = message;
    const before = told[index - 1]?.role;
    if (role === 'user' && (before === 'user' || before === 'tool'))
      return [{ ...message, role: 'assistant' as const, content: unanswered }, message];
    const isEmpty = role === 'assistant' && !content.text && !content.toolCalls?.length;
    const said = isEmpty ? { ...message, content: { ...content, ...unanswered } } : message;
    return role === 'assistant' && before === 'assistant' ? [toldTo(message, goOn), said] : [said];
  });
  const last = told.at(-1);
  return last?.role === 'assistant' ? [...alternated, toldTo(last, goOn)] : alternated;
}

/** The words at the place of a message. */
function toldTo(message: Message, text: string): Message {
  return { ...message, role: 'user', content: { text } };
}

/** Puts each note before the person's words that follow it, since a note waits for no answer. */
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

/** Appends a note to the last tool result or the person's words, for this call alone; it is not stored. */
export function withNote(messages: Message[], note: string): Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'tool' && last?.role !== 'user') return messages;
  return [...messages.slice(0, -1), { ...last, content: { ...last.content, text: `${last.content.text}\n\n${note}` } }];
}
