import type { Message } from '../../domain/run/message.ts';

const leftOut = '[A message that the model or its content filter refused to answer is omitted here.]';

/**
 * What a chat's model is sent of a conversation: a fixed note replaces each exchange whose answer was refused. A provider that is sent what it
 * refused also refuses what follows (Anthropic's documentation requires its removal). What came before stays as sent; the transcript keeps all.
 */
export function withoutRefused(messages: Message[]): Message[] {
  const shown: Message[] = [];
  let isRefused = false;
  for (const message of messages) {
    const { role, content } = message;
    if (role === 'assistant' && content.refused) {
      isRefused = true;
      const asked = shown.findLast(isPersonsWords);
      // If a summary has replaced the person's words, the rest of the exchange is removed.
      const exchange = shown.splice(shown.findLastIndex((one) => one === asked || one.turn === 0) + (asked ? 0 : 1));
      shown.push(...exchange.flatMap((one) => (one === asked ? noteFor(one) : isNote(one) ? one : [])));
    } else if (!isRefused || role === 'user') {
      isRefused = false;
      shown.push(message);
    }
  }
  return shown;
}

function noteFor(asked: Message): Message {
  return { ...asked, content: { text: leftOut } };
}

/** A person's words; those of turn 0 are the task of a delegate. */
function isPersonsWords(message: Message): boolean {
  return message.role === 'user' && message.turn > 0 && !isNote(message);
}

function isNote({ content }: Message): boolean {
  return content.isNote === true;
}

const unanswered = { text: '(no answer)' };

/**
 * Makes both sides of a conversation alternate, which some servers require. Empty answers get a text, and an assistant message is added where a
 * person spoke again because an answer was stopped or failed. `goOn` is added as a user message after a cut-off answer that the model continues.
 * Everything before an addition stays as it was sent, so that the providers' prompt caches stay valid.
 */
export function alternating(messages: Message[], goOn: string): Message[] {
  const noted = withNotes(messages);
  const alternated = noted.flatMap((message, index) => {
    const { role, content } = message;
    const before = noted[index - 1]?.role;
    if (role === 'user' && (before === 'user' || before === 'tool'))
      return [{ ...message, role: 'assistant' as const, content: unanswered }, message];
    const isEmpty = role === 'assistant' && !content.text && !content.toolCalls?.length;
    const said = isEmpty ? { ...message, content: { ...content, ...unanswered } } : message;
    return role === 'assistant' && before === 'assistant' ? [asUser(message, goOn), said] : [said];
  });
  const last = noted.at(-1);
  return last?.role === 'assistant' ? [...alternated, asUser(last, goOn)] : alternated;
}

/** A user message with this text, in the message's place. */
function asUser(message: Message, text: string): Message {
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
