import { splitWords } from '../search/word-stems.ts';

const negations = new Set(['not', 'no', 'never', 'isn', 'aren', 'doesn', 'don', 'cannot', 'longer']);

/** Words at the beginning that name what a fact is about. */
const leastSubject = 3;

/** How much of a fact has to be as it was, for the rest to be its value. */
const leastCommon = 0.6;

/**
 * How a new fact relates to an older one, by their words alone: the same; a contradiction, which is the same statement with another value
 * at its end, with another number, or denied; or something else.
 */
export function compareFacts(older: string, newer: string): 'same' | 'contradicts' | 'other' {
  const [left, right] = [splitWords(older), splitWords(newer)];
  if (left.join(' ') === right.join(' ')) return left.length || older === newer ? 'same' : 'other';
  if (isDenied(left, right)) return 'contradicts';
  const longest = Math.max(left.length, right.length);
  const begin = commonLength(left, right);
  const end = commonLength(left.slice(begin).reverse(), right.slice(begin).reverse());
  const [was, is] = [left.slice(begin, left.length - end), right.slice(begin, right.length - end)];
  if (begin < leastSubject || (begin + end) / longest < leastCommon || !was.length || !is.length) return 'other';
  const isNumber = [...was, ...is].every((word) => /\d/.test(word));
  return isNumber || end <= 1 ? 'contradicts' : 'other';
}

/** True where one says what the other says with a "not". */
function isDenied(left: string[], right: string[]): boolean {
  const plain = (words: string[]) => words.filter((word) => !negations.has(word) && word !== 't').join(' ');
  return left.length >= leastSubject && plain(left) === plain(right);
}

function commonLength(left: string[], right: string[]): number {
  const different = left.findIndex((word, index) => word !== right[index]);
  return different === -1 ? left.length : different;
}
