import { statementWords } from '../quality/compare-facts.ts';

/**
 * Indexes of the first texts that do not repeat an earlier one word for word, ignoring case and punctuation. A single changed number or sign makes a
 * different text.
 */
export function foldDuplicates(order: readonly number[], texts: readonly string[], enough: number): number[] {
  const seen = new Set<string>();
  const kept: number[] = [];
  for (const index of order) {
    if (kept.length === enough) break;
    const text = texts[index] ?? '';
    const words = statementWords(text).join(' ') || text; // for a text of punctuation only
    if (seen.has(words)) continue;
    seen.add(words);
    kept.push(index);
  }
  return kept;
}
