import type { Table } from '@lancedb/lancedb';

/** As many as a language has in use; more are forgotten at once. */
const mostWords = 100_000;

/** Words as the full-text index keeps them: the same stems, without the same common words. */
export interface WordStems {
  /** The stems of each text, in order. */
  of(texts: string[]): Promise<string[][]>;
}

/** Asks the table's own tokenizer, once for each word. */
export function createWordStems(table: Table): WordStems {
  /** Undefined stands for a common word. */
  const stems = new Map<string, string | undefined>();

  async function learn(words: string[]): Promise<void> {
    if (stems.size + words.length > mostWords) stems.clear();
    for (const word of words) stems.set(word, undefined);
    const tokens = await table.tokenize(words.join(' '), { column: 'text' });
    for (const { position, text } of tokens) {
      const word = words[position]; // words that are left out keep their position
      if (word !== undefined) stems.set(word, text);
    }
  }

  return {
    async of(texts) {
      const split = texts.map(splitWords);
      const needed = [...new Set(split.flat())];
      let unknown = needed.filter((word) => !stems.has(word));
      if (stems.size + unknown.length > mostWords) unknown = needed; // those that it forgets are needed too
      if (unknown.length) await learn(unknown);
      return split.map((words) => words.map((word) => stems.get(word)).filter((stem) => stem !== undefined));
    },
  };
}

/** Splits where the index does: at everything that is neither letter nor number. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{Alphabetic}\p{N}]+/gu) ?? [];
}
