const negations = new Set(['not', 'no', 'never', 'isn', 'aren', 'doesn', 'don', 'cannot', 'longer']);

/** Words at the beginning that two facts must share to be about the same thing. */
const leastSubject = 3;

/** What precedes the single value of a thing: forms of "be", and of its place and time. What it uses, likes or depends on may be many. */
const beforeValue =
  /(?:^| )(?:(?:am|is|are|was|were|be)(?: on| to)?|in|at|=|(?:set|defaults?|moved|changed|renamed) to)$/;

/** The share of a fact that must be unchanged for the rest to count as its value. */
const leastCommon = 0.6;

/**
 * How a new fact relates to an older one, by their words and signs alone. A contradiction is the same statement negated, with another number, or with
 * another value at its end where there can be only one.
 */
export function compareFacts(older: string, newer: string): 'same' | 'contradicts' | 'other' {
  const [left, right] = [statementWords(older), statementWords(newer)];
  if (left.join(' ') === right.join(' ')) return left.length || older === newer ? 'same' : 'other';
  if (isDenied(left, right)) return 'contradicts';
  const longest = Math.max(left.length, right.length);
  const begin = commonLength(left, right);
  const end = commonLength(left.slice(begin).reverse(), right.slice(begin).reverse());
  const [was, is] = [left.slice(begin, left.length - end), right.slice(begin, right.length - end)];
  if (begin < leastSubject || (begin + end) / longest < leastCommon || !was.length || !is.length) return 'other';
  const isNumber = [...was, ...is].every((word) => /\d/.test(word));
  const isValue = end <= 1 && (beforeValue.test(left.slice(0, begin).join(' ')) || isBeforeColon(newer, begin));
  return isNumber || isValue ? 'contradicts' : 'other';
}

/** Whether exactly this many words precede the first colon, as in "The default language: Python". */
function isBeforeColon(text: string, words: number): boolean {
  const colon = text.search(/:\s|：/);
  return colon !== -1 && statementWords(text.slice(0, colon)).length === words;
}

/** Whether one statement is the other with a negation. */
function isDenied(left: string[], right: string[]): boolean {
  const plain = (words: string[]) => words.filter((word) => !negations.has(word) && word !== 't').join(' ');
  return left.length >= leastSubject && plain(left) === plain(right);
}

function commonLength(left: string[], right: string[]): number {
  const different = left.findIndex((word, index) => word !== right[index]);
  return different === -1 ? left.length : different;
}

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
