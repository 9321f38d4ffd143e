/**
 * The words of a statement, with the signs that carry meaning: "C++", "-5", ">" and "1.5" stay as they are; case, quotes, brackets around words and
 * the punctuation after them do not count.
 */
export function statementWords(text: string): string[] {
  const words = text.toLowerCase().replace(quotes, ' ').split(/\s+/);
  return words.map((word) => word.replace(before, '').replace(behind, '')).filter((word) => word !== '');
}

const quotes = /['"`‘’‚“”„«»]/g;
const before = /^[([{¿¡]+/u;
const behind = /[)\]}.,;:!?…。！？、]+$/u;
