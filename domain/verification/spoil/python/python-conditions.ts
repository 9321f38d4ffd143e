import type { Draw } from '../draw.ts';
import { subtracted } from '../other-difference.ts';
import { otherPattern, otherStringOf } from '../other-text.ts';
import { expectOther } from '../other-value.ts';
import { type Edit, type Span, splitOutside, wrap } from '../source-text.ts';
import { expectEither, type PythonSource, textOf } from './other-python-value.ts';

const connectives = /(?<!\w)(?:and|or|not|if|is|lambda|for)(?!\w)|[<>]=?|:=/;
const comparisons = /(?<!\w)in(?!\w)|[!=]=/;

/** A condition with one comparison of two values and nothing else. */
export function sidesOf({ masked }: PythonSource, condition: Span, operator: RegExp): [Span, Span] | undefined {
  const within = masked.slice(0, condition.end);
  const others = splitOutside(within, condition.begin, connectives);
  const sides = splitOutside(within, condition.begin, comparisons);
  if (sides.length !== 2 || others.length !== 1) return undefined;
  const [left, right] = sides as [Span, Span];
  return operator.test(masked.slice(left.end, right.begin)) ? [left, right] : undefined;
}

/** Lets a condition that held not hold: one that compares expects another value, one of several parts has a part that does not hold. */
export function breakCondition(source: PythonSource, condition: Span | undefined, draw: Draw): Edit | undefined {
  if (!condition || !textOf(source.masked, condition)) return undefined;
  const inner = withoutBrackets(source.masked, condition);
  if (inner) return breakCondition(source, inner, draw);
  const sides = sidesOf(source, condition, /==/);
  if (sides) return expectEither(source, ...sides, draw);
  const within = source.masked.slice(0, condition.end);
  const hasOther = splitOutside(within, condition.begin, /(?<!\w)(?:or|if|lambda)(?!\w)/).length > 1;
  const parts = hasOther ? [] : splitOutside(within, condition.begin, /(?<!\w)and(?!\w)/);
  if (parts.length > 1) return breakCondition(source, parts[draw(parts.length)], draw);
  return askForOther(source, condition, draw) ?? negate(source, condition);
}

/** What is between the brackets that are all around a condition. */
function withoutBrackets(masked: string, { begin, end }: Span): Span | undefined {
  const [, open = '', close = ''] = /^(\s*\()[\s\S]*(\)\s*)$/.exec(masked.slice(begin, end)) ?? [];
  const inner = { begin: begin + open.length, end: end - close.length };
  const parts = open ? splitOutside(masked, inner.begin, /,/) : [];
  return parts.length === 1 && parts[0]?.end === inner.end ? inner : undefined;
}

/** Lets a condition that did not hold do so. */
export function fulfilCondition(source: PythonSource, condition: Span, draw: Draw): Edit {
  const sides = sidesOf(source, condition, /!=/);
  if (sides) return expectEither(source, ...sides, draw);
  return askForAbsent(source, condition, draw) ?? negate(source, condition);
}

/** Lets a condition that something is absent ask for something else: `not a.startswith('b')`, `'a' not in b`. */
function askForAbsent(source: PythonSource, condition: Span, draw: Draw): Edit | undefined {
  const text = source.masked.slice(condition.begin, condition.end);
  const [not] = /^\s*not\s/.exec(text) ?? [];
  if (not) return askForOther(source, { begin: condition.begin + not.length, end: condition.end }, draw);
  const [start, needle = ''] = /^\s*([rRbB]{0,2}"+)\s+not\s+in\s/.exec(text) ?? [];
  const rest = new RegExp(`${connectives.source}|${comparisons.source}`);
  if (!start || splitOutside(source.masked.slice(0, condition.end), condition.begin + start.length, rest).length > 1)
    return undefined;
  const begin = condition.begin + start.indexOf(needle);
  return otherString(source.content, { begin, end: begin + needle.length }, draw);
}

/** Lets a condition ask for something else that is written out, in a way in which it surely does not hold; undefined if there is none. */
export function askForOther(source: PythonSource, condition: Span, draw: Draw): Edit | undefined {
  const { content, masked } = source;
  const needle = sidesOf(source, condition, /in/)?.[0];
  if (needle) return otherString(content, needle, draw);
  const difference = subtracted(masked, condition, /abs/);
  if (difference) return expectOther(content, masked, difference, draw, { wrapping: ['', ''] });
  if (splitOutside(masked.slice(0, condition.end), condition.begin, connectives).length > 1) return undefined;
  return otherArgument(source, condition, draw);
}

const startsOrEnds = /\.(?:starts|ends)with\(\s*("+)\s*\)\s*$/;
const searches = /^\s*re\.(?:search|match|fullmatch)\(\s*([rRbB]{0,2}"+)\s*,/;
const near =
  /^\s*(?:math\.)?isclose\(.*,\s*(\d{1,4}(?:\.\d*)?|\.\d+)\s*(?:,\s*(?:rel|abs)_tol\s*=\s*1e-(?:[5-9]|\d\d)\s*)?\)\s*$/;

/** Another argument of a call that is the whole condition. */
function otherArgument({ content, masked }: PythonSource, condition: Span, draw: Draw): Edit | undefined {
  const text = masked.slice(condition.begin, condition.end);
  const argument = (form: RegExp): Span | undefined => {
    const [whole, given = ''] = form.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const begin = condition.begin + text.indexOf(whole) + whole.lastIndexOf(given);
    return { begin, end: begin + given.length };
  };
  const number = argument(near);
  if (number) return expectOther(content, masked, number, draw, { wrapping: ['', ''] });
  const [ending, pattern] = [argument(startsOrEnds), argument(searches)];
  if (ending) return otherString(content, ending, draw);
  return pattern && otherString(content, pattern, draw, otherPattern);
}

/** A string that is written out with another letter, if work surely cannot have that as well. */
export function otherString(content: string, span: Span, draw: Draw, change?: typeof otherPattern): Edit | undefined {
  const { begin, end, text } = wrap(content, content, span, ['', '']);
  const other = otherStringOf(text, draw, change);
  return other === undefined ? undefined : { begin, end, text: other };
}

function negate({ content, masked }: PythonSource, condition: Span): Edit {
  const text = content.slice(condition.begin, condition.end);
  const [lead = ''] = /^\s*/.exec(text) ?? [];
  const [trail = ''] = /\s*$/.exec(text) ?? [];
  const inner = text.slice(lead.length, text.length - trail.length);
  const isNegated =
    /^\s*not\s/.test(masked.slice(condition.begin, condition.end)) &&
    !/(?<!\w)(?:and|or|if)(?!\w)/.test(masked.slice(condition.begin, condition.end));
  const opposite = isNegated ? inner.replace(/^not\s+/, '') : `not (${inner})`;
  return { ...condition, text: `${lead || ' '}${opposite}${trail}` };
}
