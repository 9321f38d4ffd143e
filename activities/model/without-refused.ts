import type { Message } from '../../domain/run/message.ts';

const leftOut = '[A message that the model, or a filter in front of it, would not answer is left out here.]';

/**
 * What a chat's model is told of a conversation: in place of each exchange whose answer was refused stands a note of fixed words. As long as a
 * provider is sent what it refused, it refuses what follows too (Anthropic's documentation requires that it be taken out). What came before stays as
 * it was sent; the transcript keeps all.
 */
export function withoutRefused(messages: Message[]): Message[] {
  const told: Message[] = [];
  let isRefused = false;
  for (const message of messages) {
    const { role, content } = message;
    if (role === 'assistant' && content.refused) {
      isRefused = true;
      const asked = told.findLast(isAsked);
      // Where a summary has taken the place of the words, all that is left of the exchange goes.
      const exchange = told.splice(told.findLastIndex((one) => one === asked || one.turn === 0) + (asked ? 0 : 1));
      told.push(...exchange.flatMap((one) => (one === asked ? noteFor(one) : isNote(one) ? one : [])));
    } else if (!isRefused || role === 'user') {
      isRefused = false;
      told.push(message);
    }
  }
  return told;
}

function noteFor(asked: Message): Message {
  return { ...asked, content: { text: leftOut } };
}

/** A person's words; those of turn 0 are the task of a delegate. */
function isAsked(message: Message): boolean {
  return message.role === 'user' && message.turn > 0 && !isNote(message);
}

function isNote({ content }: Message): boolean {
  return content.isNote === true;
}
