import { splitWords } from './word-stems.ts';

/**
 * Indexes of the first texts that are not, word for word, one before them; capitals and punctuation aside. One changed number makes
 * another text.
 */
export function foldDuplicates(order: readonly number[], texts: readonly string[], enough: number): number[] {
  const seen = new Set<string>();
  const kept: number[] = [];
  for (const index of order) {
    if (kept.length === enough) break;
    const text = texts[index] ?? '';
    const words = splitWords(text).join(' ') || text; // emoji have no words
    if (seen.has(words)) continue;
    seen.add(words);
    kept.push(index);
  }
  return kept;
}
