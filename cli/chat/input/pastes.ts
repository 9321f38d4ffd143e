import { formatCount } from '../../../client/format/count.ts';

/** Long pastes, which stand as a few words in the line being typed. */
export interface Pastes {
  /** The words that stand for a text; undefined if it is short enough to stand there itself. */
  shorten(text: string): string | undefined;
  /** A message with the texts in place of the words that stand for them. */
  expand(message: string): string;
}

const maxLines = 4;
const maxCharacters = 1_000;
/** How many are remembered, for messages that the arrows bring back. */
const maxRemembered = 50;

export function createPastes(): Pastes {
  const known = new Map<string, string>();
  return {
    shorten(text) {
      const lines = text.replace(/\n+$/, '').split('\n').length;
      if (lines <= maxLines && text.length <= maxCharacters) return undefined;
      const size = lines > 1 ? `${formatCount(lines)} lines` : `${formatCount(text.length)} characters`;
      let words = `[${size} pasted]`;
      for (let count = 2; known.has(words) && known.get(words) !== text; count += 1)
        words = `[${size} pasted, #${count}]`;
      known.set(words, text);
      const [oldest] = known.keys();
      if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest);
      return words;
    },
    expand: (message) => message.replace(/\[[^[\]\n]* pasted(?:, #\d+)?\]/g, (words) => known.get(words) ?? words),
  };
}
