import type { Table } from '@lancedb/lancedb';

/** As many as a language has in use; more are forgotten at once. */
const mostWords = 100_000;

/** Bytes from which on a word that the index leaves out is too long for it, not common; LanceDB's own limit, which older tables have. */
const tooLongFrom = 40;

/** Words as the full-text index keeps them: the same stems, without the same common words. One that is too long for the index is its own stem. */
export interface WordStems {
  /** The stems of each text, in order. */
  of(texts: string[]): Promise<string[][]>;
}

/** Asks the table's own tokenizer, once for each word. */
export function createWordStems(table: Table): WordStems {
  /** An empty text stands for a common word. */
  const stems = new Map<string, string>();

  async function learn(words: string[]): Promise<void> {
    if (stems.size + words.length > mostWords) stems.clear();
    const tokens = await table.tokenize(words.join(' '), { column: 'text' });
    // Known only now: another search that finds the words meanwhile would take them for common ones.
    for (const word of words) stems.set(word, Buffer.byteLength(word) < tooLongFrom ? '' : word);
    for (const { position, text } of tokens) {
      const word = words[position]; // words that are left out keep their position
      if (word !== undefined) stems.set(word, text);
    }
  }

  return {
    async of(texts) {
      const split = texts.map(splitWords);
      const unknown = new Set<string>();
      const found = split.map((words) => stemsOf(words, unknown));
      if (!unknown.size) return found;
      // Those that it forgets are needed too.
      await learn([...(stems.size + unknown.size > mostWords ? new Set(split.flat()) : unknown)]);
      return split.map((words) => stemsOf(words));
    },
  };

  function stemsOf(words: readonly string[], unknown?: Set<string>): string[] {
    const found: string[] = [];
    for (const word of words) {
      const stem = stems.get(word);
      if (stem) found.push(stem);
      else if (stem === undefined) unknown?.add(word);
    }
    return found;
  }
}

/** Splits where the index does: at everything that is neither letter nor number. */
export function splitWords(text: string): string[] {
  const lower = text.toLowerCase();
  // To look characters up in Unicode's tables takes several times as long.
  return lower.match(beyondAscii.test(lower) ? words : asciiWords) ?? [];
}

const beyondAscii = /\P{ASCII}/u;
const asciiWords = /[a-z0-9]+/g;
const words = /[\p{Alphabetic}\p{N}]+/gu;
