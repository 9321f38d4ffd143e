import type { Table } from '@lancedb/lancedb';

/** About as many as a language uses; beyond that, all are forgotten at once. */
const maxWords = 100_000;

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

  async function learn(words: string[]): Promise<ReadonlyMap<string, string>> {
    const tokens = await table.tokenize(words.join(' '), { column: 'text' });
    const learned = new Map(words.map((word) => [word, Buffer.byteLength(word) < tooLongFrom ? '' : word]));
    for (const { position, text } of tokens) {
      const word = words[position]; // omitted words keep their position
      if (word !== undefined) learned.set(word, text);
    }
    if (stems.size + learned.size > maxWords) stems.clear();
    for (const [word, stem] of learned) stems.set(word, stem);
    return learned;
  }

  return {
    async of(texts) {
      /** Where each word stands whose stem is not known yet. */
      const unknown = new Map<string, Array<{ found: string[]; at: number }>>();
      const all = texts.map((text) => {
        const found: string[] = [];
        for (const word of splitWords(text)) {
          const stem = stems.get(word);
          if (stem === '') continue;
          if (stem === undefined) {
            const places = unknown.get(word) ?? [];
            if (!places.length) unknown.set(word, places);
            places.push({ found, at: found.length });
          }
          found.push(stem ?? '');
        }
        return found;
      });
      if (!unknown.size) return all;
      const learned = await learn([...unknown.keys()]);
      for (const [word, places] of unknown) {
        for (const { found, at } of places) found[at] = learned.get(word) ?? '';
      }
      return all.map((found) => found.filter((stem) => stem !== ''));
    },
  };
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
