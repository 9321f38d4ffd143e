import type { Draw } from '../draw.ts';
import { expectOther, hasLiteral } from '../other-value.ts';
import { type Edit, type Span, splitOutside } from '../source-text.ts';
import { expectOtherError } from './other-error.ts';
import { expectEither, expectOtherOf, type PythonSource, textOf } from './other-python-value.ts';
import { endsAsFailed } from './python-failures.ts';
import { type PythonBody, surelyRuns } from './surely-runs.ts';

/** For each assertion that surely runs in a body, a change with which it fails where it held before. */
export function findAssertions(source: PythonSource, body: PythonBody, draw: Draw): Edit[] {
  return [...source.masked.slice(body.begin, body.end).matchAll(statement)].flatMap((found) => {
    const [whole, indent = '', kind = ''] = found;
    const begin = body.begin + found.index;
    if (!surelyRuns(source.masked, body, begin, indent)) return [];
    const edit = spoil(source, kind, { begin: begin + indent.length, from: begin + whole.length }, draw);
    return edit ? [edit] : [];
  });
}

const statement =
  /^([ \t]*)(assert(?=[\s(])|self\.assert\w+\(|(?:with\s+)?(?:self\.assertRaises(?:Regex)?|pytest\.raises|raises)\(|if\s|(?:[\w.]+\.)?assert_\w+\()/gm;

function spoil(
  source: PythonSource,
  kind: string,
  { begin, from }: { begin: number; from: number },
  draw: Draw,
): Edit | undefined {
  if (/raises|Raises/.test(kind)) return expectOtherError(source, from, draw);
  if (kind.startsWith('if')) return exitOtherwise(source, from, draw);
  if (kind === 'assert') return breakCondition(source, splitOutside(source.masked, from, /,/, /(?<!\\)\n/)[0], draw);
  const given = splitOutside(source.masked, from, /,/).filter((one) => textOf(source.masked, one));
  if (!kind.startsWith('self.assert')) return expectOtherLiteral(source, kind, given, draw);
  const name = kind.slice('self.assert'.length, -1);
  if (equal.test(name)) return given[0] && given[1] ? expectEither(source, given[0], given[1], draw) : undefined;
  if (/^AlmostEquals?$/.test(name)) return expectOtherNumber(source, given, draw);
  if (/^(True|False)$/.test(name) && given[0] && isComparison(source, given[0]))
    return breakCondition(source, given[0], draw);
  const opposite = opposites[name];
  const place = begin + 'self.assert'.length;
  return opposite ? { begin: place, end: place + name.length, text: opposite } : undefined;
}

const equal = /^(?:Equals?|ListEqual|DictEqual|TupleEqual|SetEqual|SequenceEqual|MultiLineEqual|CountEqual|Is)$/;

const pairs = [
  ['True', 'False'],
  ['IsNone', 'IsNotNone'],
  ['In', 'NotIn'],
  ['IsInstance', 'NotIsInstance'],
  ['Greater', 'LessEqual'],
  ['GreaterEqual', 'Less'],
  ['Regex', 'NotRegex'],
] as const;
/** Assertions that hold where another one does not. */
const opposites: Record<string, string> = {
  ...Object.fromEntries(
    pairs.flatMap(([one, other]) => [
      [one, other],
      [other, one],
    ]),
  ),
  NotEqual: 'Equal',
  IsNot: 'Is',
};

/** An assertion that is content with about the same. */
function expectOtherNumber(source: PythonSource, given: Span[], draw: Draw): Edit | undefined {
  const [, expected, ...others] = given;
  const isWide = (one: Span) => /^delta\s*=/.test(textOf(source.masked, one)) && !isSmall(source, one);
  if (!expected || others.some(isWide)) return undefined;
  if (!/^-?\d+(\.\d+)?$/.test(textOf(source.masked, expected))) return undefined;
  return expectOtherOf(source, expected, draw);
}

/** A tolerance below a half: a number whose whole part changes is further away. */
function isSmall({ masked }: PythonSource, option: Span): boolean {
  return /=\s*(?:0?\.[0-4]\d*|\d+e-\d+)$/.test(textOf(masked, option));
}

/** Assertions of mocks and of NumPy that hold for one value alone. */
const comparing =
  /(?:^|\.)assert_(?:(?:array_|string_)?equal|(?:array_)?almost_equal|allclose|(?:called|awaited)_(?:once_)?with)\($/;

/** An array of the values that are given, and of their own type. */
const arrays = /(?:np|numpy)\.(?:as)?array(?=\([^=]*\)$)/;

/** An assertion of a library: a value changes that is written out, unless it is compared with a tolerance, or is so large that the change may not count. */
function expectOtherLiteral(source: PythonSource, kind: string, given: Span[], draw: Draw): Edit | undefined {
  if (!comparing.test(kind)) return undefined;
  const { content, masked } = source;
  const literals = given.filter((one) => hasLiteral(content, masked, one, arrays));
  const isOfMock = kind.includes('_with(');
  const isExact = given.length === 2 && given.every((one) => !/^\w+\s*=|\d{6}/.test(textOf(masked, one)));
  const chosen = literals[isOfMock ? draw(Math.max(1, literals.length)) : 0];
  return chosen && (isOfMock || isExact)
    ? expectOther(content, masked, chosen, draw, { wrapping: ['', ''], constructors: arrays })
    : undefined;
}

/** A condition with one comparison of two values and nothing else. */
export function sidesOf({ masked }: PythonSource, condition: Span, operator: RegExp): [Span, Span] | undefined {
  const within = masked.slice(0, condition.end);
  const others = splitOutside(within, condition.begin, /(?<!\w)(?:and|or|not|if|in|is|lambda)(?!\w)|[<>]=?|:=/);
  const sides = splitOutside(within, condition.begin, /[!=]=/);
  if (sides.length !== 2 || others.length !== 1) return undefined;
  const [left, right] = sides as [Span, Span];
  return operator.test(masked.slice(left.end, right.begin)) ? [left, right] : undefined;
}

function isComparison(source: PythonSource, condition: Span): boolean {
  return sidesOf(source, condition, /==/) !== undefined;
}

/** Lets a condition that held not hold: one that compares expects another value, one of several parts has a part that does not hold. */
function breakCondition(source: PythonSource, condition: Span | undefined, draw: Draw): Edit | undefined {
  if (!condition || !textOf(source.masked, condition)) return undefined;
  const sides = sidesOf(source, condition, /==/);
  if (sides) return expectEither(source, ...sides, draw);
  const within = source.masked.slice(0, condition.end);
  const hasOther = splitOutside(within, condition.begin, /(?<!\w)(?:or|if|lambda)(?!\w)/).length > 1;
  const parts = hasOther ? [] : splitOutside(within, condition.begin, /(?<!\w)and(?!\w)/);
  if (parts.length > 1) return breakCondition(source, parts[draw(parts.length)], draw);
  return negate(source, condition);
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

/** A condition after which a program ends as failed: `if add(2, 3) != 5: sys.exit(1)`. */
function exitOtherwise(source: PythonSource, from: number, draw: Draw): Edit | undefined {
  const [condition] = splitOutside(source.masked, from, /:(?!=)/);
  if (!condition || !endsAsFailed(source.masked, condition.end)) return undefined;
  const sides = sidesOf(source, condition, /!=/);
  return sides ? expectEither(source, ...sides, draw) : negate(source, condition);
}
