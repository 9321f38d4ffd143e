import type { Table } from '@lancedb/lancedb';

/** About as many as a language uses; beyond that, all are forgotten at once. */
const mostWords = 100_000;

/** Bytes from which a word missing from the index is too long for it, not a stop word; LanceDB's default limit, which older tables have. */
const tooLongFrom = 40;

/** Words as the full-text index stores them: the same stems, without the same stop words. A word that is too long for the index is its own stem. */
export interface WordStems {
  /** The stems of each text, in order. */
  of(texts: string[]): Promise<string[][]>;
}

/** Uses the table's own tokenizer, once for each word. */
export function createWordStems(table: Table): WordStems {
  /** An empty stem marks a stop word. */
  const stems = new Map<string, string>();

  async function learn(words: string[]): Promise<void> {
    if (stems.size + words.length > mostWords) stems.clear();
    const tokens = await table.tokenize(words.join(' '), { column: 'text' });
    // Set only now: if set before the call, another search would take the words for stop words meanwhile.
    for (const word of words) stems.set(word, Buffer.byteLength(word) < tooLongFrom ? '' : word);
    for (const { position, text } of tokens) {
      const word = words[position]; // omitted words keep their position
      if (word !== undefined) stems.set(word, text);
    }
  }

  return {
    async of(texts) {
      const split = texts.map(splitWords);
      const unknown = new Set<string>();
      const found = split.map((words) => stemsOf(words, unknown));
      if (!unknown.size) return found;
      // Clearing the cache also forgets known words, which are needed too.
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
  // Looking characters up in the Unicode tables takes several times as long.
  return lower.match(beyondAscii.test(lower) ? words : asciiWords) ?? [];
}

const beyondAscii = /\P{ASCII}/u;
const asciiWords = /[a-z0-9]+/g;
const words = /[\p{Alphabetic}\p{N}]+/gu;
