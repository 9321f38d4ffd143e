import { literalPattern } from '../../literal-pattern.ts';
import { type Draw, drawOne } from './draw.ts';
import { type Edit, type Span, splitOutside, wrap } from './source-text.ts';

/** How a language makes another value from one that is not written out. */
export interface OtherOf {
  /** What goes around the expression. */
  wrapping: [string, string];
  /** The beginnings of calls that make another value from another first argument. */
  constructors?: RegExp;
}

/**
 * Lets a check expect another value, which looks as if it could be the right one: a number of the same sign and length, a string with another letter, the
 * other truth value, a list with another item, an object made of another argument. Work that does not know what is right cannot tell whether a check was spoiled. What is not written out is
 * wrapped in code that changes its value.
 */
export function expectOther(content: string, masked: string, expected: Span, draw: Draw, how: OtherOf): Edit {
  const { begin, end, text } = wrap(content, masked, expected, ['', '']);
  const [made] = literalsOfArgument(content, masked, { begin, end }, how.constructors);
  if (made) return { ...made, text: nearLiteral(content.slice(made.begin, made.end), draw) };
  const literals = literalsOf(content, masked, { begin, end });
  const chosen = drawOne(literals, draw);
  if (!chosen) return { begin, end, text: `${how.wrapping[0]}${text}${how.wrapping[1]}` };
  const literal = content.slice(chosen.begin, chosen.end);
  const [sign = ''] = /(?<=^|[([{,:]\s*)-$/.exec(masked.slice(begin, chosen.begin)) ?? [];
  const signed = { begin: chosen.begin - sign.length, end: chosen.end };
  const known = drawOne(
    othersLike(sign + literal, () => expectedIn(content, masked)),
    draw,
  );
  if (known !== undefined && draw(4) > 0) return alsoInMessage(content, masked, { ...signed, text: known });
  let other = otherLiteral(literal, draw);
  // Work that looks for a value where the test has it must not fail for another reason than honest work.
  for (let tries = 0; tries < 9 && includesLiteral(content, other); tries += 1) other = otherLiteral(literal, draw);
  // A test file may have all numbers of one digit.
  for (let tries = 0; tries < 9 && /^\d+$/.test(other) && includesLiteral(content, other); tries += 1)
    other = `${1 + draw(9)}${otherNumber(literal, draw)}`;
  return alsoInMessage(content, masked, { ...chosen, text: other });
}

/** A word or some, and a digit: what a function may have few of as results. */
const ofFew = [/^(["'`])([A-Za-z]+(?:[ _-][A-Za-z]+)*)\1$/, /^()(-?\d)$/];
/** A literal that is the last in its line, as what is expected mostly is. */
const lastInLine = /(?:[=!]==?|,)[ \t]*("{2,}|-?\d)(?=[ \t)\]};,]*$)/gm;

function expectedIn(content: string, masked: string): string[] {
  return [...masked.matchAll(lastInLine)].map(({ 0: whole, 1: found = '', index }) => {
    const end = index + whole.length;
    return content.slice(end - found.length, end);
  });
}

/**
 * Those of the values that a check expects elsewhere which are of the kind of one. Work may know which values there can be at all, and give what a check asks
 * for if it is one of them.
 */
export function othersLike(literal: string, readExpected: () => string[]): string[] {
  const form = ofFew.find((one) => one.test(literal));
  const [, quote = '', value = ''] = form?.exec(literal) ?? [];
  if (!form) return [];
  const others = readExpected().flatMap((one) => form.exec(one)?.[2] ?? []);
  const different = others.filter((one) => plain(one) !== plain(value));
  return [...new Set(different)].map((one) => `${quote}${one}${quote}`);
}

function plain(words: string): string {
  return words.toLowerCase().replaceAll(/[ _]|(?<=\w)-/g, '');
}

/** The change of a literal, made as well in the messages behind it on its line, which may say the value again. */
export function alsoInMessage(content: string, masked: string, edit: Edit): Edit {
  const [value, other] = [content.slice(edit.begin, edit.end), edit.text].map((one) =>
    one.replace(/^\w*["'`]+|["'`]+$/g, ''),
  );
  const [rest = ''] = /^.*/.exec(masked.slice(edit.end)) ?? [];
  if (!value || other === undefined || /\w\s*\(/.test(rest)) return edit;
  const again = new RegExp(`(?<![\\w.])${literalPattern(value)}(?![\\w.]*\\w)`, 'g');
  const text = rest.replace(/"+|[^"]+/g, (run, index: number) => {
    const said = content.slice(edit.end + index, edit.end + index + run.length);
    return run.startsWith('"') && /\s/.test(said) ? said.replace(again, () => other) : said;
  });
  return { begin: edit.begin, end: edit.end + rest.length, text: edit.text + text };
}

/**
 * The literals of the first argument of an expression that is one call of a constructor and no more. Others may not count: `Fraction(0, 5)` is `Fraction(0, 7)`.
 */
function literalsOfArgument(content: string, masked: string, { begin, end }: Span, constructors = /(?!)/): Span[] {
  const [start] = new RegExp(`^(?:${constructors.source})\\(`).exec(masked.slice(begin, end)) ?? [];
  if (!start) return [];
  const args = splitOutside(masked, begin + start.length, /,/);
  return args[0] && args.at(-1)?.end === end - 1 ? literalsOf(content, masked, args[0]) : [];
}

/** The next number, or the one before, so that a date stays one and no remainder the same; or another string or word. */
function nearLiteral(literal: string, draw: Draw): string {
  const [, whole, rest = ''] = /^(\d{1,15})((?:\.\d*)?)$/.exec(literal) ?? [];
  if (whole === undefined) return otherLiteral(literal, draw);
  const up = whole === '0' || draw(2) === 0;
  return `${Number(whole) + (up ? 1 : -1)}${rest}`;
}

function includesLiteral(content: string, literal: string): boolean {
  const parts = content.split(literal);
  return parts.slice(1).some((after, index) => !/\w$/.test(parts[index] ?? '') && !/^\w/.test(after));
}

/** Whether an expression has a value that is written out and can be changed. */
export function hasLiteral(content: string, masked: string, expression: Span, constructors?: RegExp): boolean {
  const span = wrap(content, masked, expression, ['', '']);
  return [literalsOf(content, masked, span), literalsOfArgument(content, masked, span, constructors)].flat().length > 0;
}

function literalsOf(content: string, masked: string, { begin, end }: Span): Span[] {
  return isWrittenOut(masked.slice(begin, end)) ? findLiterals(content, masked, { begin, end }) : [];
}

const word = /(?<![\w$.])(?:True|False|None|true|false|null|undefined)(?![\w$])/;
const number = /(?<![\w$.])(?:\d+(?:\.\d*)?n?|\.\d+)(?![\w$.])/;
const string = /(?<![\w$"])[rRbBuU]{0,2}"{2,}(?![\w"])/;

/** What picks or leaves out a part of the values before it, so that another one may go unnoticed: an index or a slice, or a difference of sets. */
const picks = /[\w"\])}]\s*\[|\}\s*-/;

/** Whether a masked text is made of literals alone: values, and lists, sets and maps of values, whose keys may be names. */
export function isWrittenOut(masked: string): boolean {
  if (picks.test(masked)) return false;
  const left = masked
    .replace(/(?<=[{,]\s*)[A-Za-z_$][\w$]*(?=\s*:)/g, '')
    .replace(new RegExp([word, number, string].map(({ source }) => source).join('|'), 'g'), '');
  return /^[\s()[\]{},:-]*$/.test(left);
}

/** The literals in a span that can be changed: those that are values, not keys. */
function findLiterals(content: string, masked: string, { begin, end }: Span): Span[] {
  const literal = new RegExp([word, number, string].map(({ source }) => `${source}(?!\\s*:)`).join('|'), 'g');
  return [...masked.slice(begin, end).matchAll(literal)]
    .map((found) => ({ begin: begin + found.index, end: begin + found.index + found[0].length }))
    .filter((span) => isString(content.slice(span.begin, span.end)) !== 'unusual');
}

/** Whether a literal is a string, and one in which a character can be changed. */
function isString(literal: string): 'no' | 'usual' | 'unusual' {
  const quotes = /("""|'''|["'`])$/.exec(literal)?.[1];
  if (!quotes) return 'no';
  return quotes === '`' && literal.includes('${') ? 'unusual' : 'usual';
}

function otherLiteral(literal: string, draw: Draw): string {
  if (isString(literal) === 'usual') return otherString(literal, draw);
  return otherWord[literal] ?? otherNumber(literal, draw);
}

/** None of them equals the other, in a loose comparison either. */
const otherWord: Record<string, string> = {
  True: 'False',
  False: 'True',
  None: '0',
  true: 'false',
  false: 'true',
  null: '0',
  undefined: '0',
};

/** Another number with as many digits. Its whole part differs, since a check may be content with about the same. */
function otherNumber(literal: string, draw: Draw): string {
  const [, whole = '0', rest = ''] = /^(\d+)(.*)$/.exec(literal) ?? ['', '0', literal];
  // The first digit of a long number, since a language may round it; else the last.
  const place = whole.length > 15 ? 0 : whole.length - 1;
  const digit = Number(whole[place]);
  const lowest = place === 0 && whole.length > 1 ? 1 : 0;
  const others = Array.from({ length: 10 - lowest }, (_, index) => index + lowest).filter((one) => one !== digit);
  // Loose comparisons and truth take 0 and 1 for false and true, and "0" for nothing.
  const plain = whole.length === 1 ? others.filter((one) => one > 1) : others;
  return `${whole.slice(0, place)}${plain[draw(plain.length)]}${whole.slice(place + 1)}${rest}`;
}

/** The same string with another letter or digit, or a further one if it has none. */
function otherString(literal: string, draw: Draw): string {
  const [, quotes = ''] = /("""|'''|["'`])$/.exec(literal) ?? [];
  const [prefix = ''] = /^[A-Za-z]*/.exec(literal) ?? [];
  const text = literal.slice(prefix.length + quotes.length, literal.length - quotes.length);
  const begin = prefix.length + quotes.length;
  const places = [...text.matchAll(/\\(?:x[\da-fA-F]{2}|u\{?[\da-fA-F]+\}?|\d+|[\s\S])|[A-Za-z0-9]/g)].filter(
    ([found]) => found.length === 1,
  );
  // Work may know the sentence around a number.
  const digits = places.filter(([found]) => /\d/.test(found));
  const chosen = drawOne(digits.length > 0 && draw(4) > 0 ? digits : places, draw);
  if (!chosen) return `${literal.slice(0, literal.length - quotes.length)}a${quotes}`;
  const place = begin + chosen.index;
  return `${literal.slice(0, place)}${otherCharacter(chosen[0], draw)}${literal.slice(place + 1)}`;
}

function otherCharacter(character: string, draw: Draw): string {
  const alphabet = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'].find((one) =>
    one.includes(character),
  );
  const others = [...(alphabet ?? '')].filter((one) => one !== character);
  return others[draw(others.length)] ?? character;
}
