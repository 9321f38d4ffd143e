import { statementWords } from '../quality/statement-words.ts';

/**
 * Indexes of the first texts that are not, word for word, one before them; capitals and punctuation aside. One changed number
 * or sign makes another text.
 */
export function foldDuplicates(order: readonly number[], texts: readonly string[], enough: number): number[] {
  const seen = new Set<string>();
  const kept: number[] = [];
  for (const index of order) {
    if (kept.length === enough) break;
    const text = texts[index] ?? '';
    const words = statementWords(text).join(' ') || text; // one of punctuation only
    if (seen.has(words)) continue;
    seen.add(words);
    kept.push(index);
  }
  return kept;
}
