import { type Draw, drawOne } from './draw.ts';

/** A usual word with one of them in place of a vowel is none. */
const consonants = 'jkqvwxz';

/** Letters of a text that is long enough to be found nowhere by chance. */
const minLetters = 4;

/**
 * The same text with a consonant in place of a vowel, so that a text in which the one is found surely does not have the other. Undefined if it is too short for
 * that. What a backslash escapes stays.
 */
export function otherText(text: string, draw: Draw): string | undefined {
  const letters = [...text.matchAll(/\\[\s\S]|[A-Za-z]/g)].filter(([one]) => one.length === 1);
  const vowels = letters.filter(([letter]) => /[aeiou]/i.test(letter));
  const chosen = drawOne(vowels, draw);
  if (!chosen || letters.length < minLetters) return undefined;
  const [letter] = chosen;
  const other = consonants[draw(consonants.length)] ?? '';
  const cased = letter === letter.toLowerCase() ? other : other.toUpperCase();
  return `${text.slice(0, chosen.index)}${cased}${text.slice(chosen.index + 1)}`;
}

/** Another number than a text is, of one more digit, since a list may have those beside it; undefined if it is none. */
export function otherWholeNumber(text: string, draw: Draw): string | undefined {
  const [, sign = '', number] = /^(-?)(\d{1,9})$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  return `${sign}${1 + draw(9)}${number.slice(0, -1)}${(Number(number.at(-1)) + 1 + draw(9)) % 10}`;
}

/** The same for a regular expression; only of one that asks for each of its letters, or for a number and nothing else. */
export function otherPattern(pattern: string, draw: Draw): string | undefined {
  const [, whole] = /^\^(-?\d+)\$$/.exec(pattern) ?? [];
  const number = whole === undefined ? undefined : otherWholeNumber(whole, draw);
  if (number !== undefined) return `^${number}$`;
  return /[|?*(){}[\]]|\\[^.\\/dsw"'$^+!-]/.test(pattern) ? undefined : otherText(pattern, draw);
}

/** The same for a string that is written out, with its quotes. */
export function otherStringOf(literal: string, draw: Draw, change: typeof otherText = otherText): string | undefined {
  const [, prefix = '', quotes, text = ''] = /^([rRbBuU]{0,2})("""|'''|["'`])([\s\S]*)\2$/.exec(literal) ?? [];
  if (!quotes || text.includes(quotes) || (quotes === '`' && text.includes('${')) || /\\[xuUN]/.test(text))
    return undefined;
  const other = change(text, draw);
  return other === undefined ? undefined : `${prefix}${quotes}${other}${quotes}`;
}
