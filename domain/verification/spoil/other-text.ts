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

/** The same for a regular expression; only of one that asks for each of its letters. */
export function otherPattern(pattern: string, draw: Draw): string | undefined {
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
