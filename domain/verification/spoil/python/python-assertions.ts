import type { Draw } from '../draw.ts';
import { expectOther, isWrittenOut } from '../other-value.ts';
import { type Edit, type Span, splitOutside } from '../source-text.ts';

export interface PythonBody extends Span {
  indent: string;
}

interface Source {
  content: string;
  masked: string;
}

/** For each assertion that surely runs in a body, a change with which it fails where it held before. */
export function findAssertions(source: Source, body: PythonBody, draw: Draw): Edit[] {
  return [...source.masked.slice(body.begin, body.end).matchAll(statement)].flatMap((found) => {
    const [whole, indent = '', kind = ''] = found;
    const begin = body.begin + found.index;
    if (!surelyRuns(source.masked, body, begin, indent)) return [];
    const edit = spoil(source, kind, { begin: begin + indent.length, from: begin + whole.length }, draw);
    return edit ? [edit] : [];
  });
}

const statement =
  /^([ \t]*)(assert(?=[\s(])|self\.assert\w+\(|(?:with\s+)?(?:self\.assertRaises(?:Regex)?|pytest\.raises|raises)\(|if\s)/gm;

function spoil(
  source: Source,
  kind: string,
  { begin, from }: { begin: number; from: number },
  draw: Draw,
): Edit | undefined {
  if (/raises|Raises/.test(kind)) return expectOtherError(source, from, draw);
  if (kind.startsWith('if')) return exitOtherwise(source, from, draw);
  if (!kind.startsWith('self.'))
    return breakCondition(source, splitOutside(source.masked, from, /,/, /(?<!\\)\n/)[0], draw);
  const name = kind.slice('self.assert'.length, -1);
  const given = splitOutside(source.masked, from, /,/).filter((one) => textOf(source.masked, one));
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

/** Whether nothing keeps a statement of a body from being reached: it is the body's own, or in loops and contexts, and nothing leaves the body before. */
export function surelyRuns(masked: string, body: PythonBody, place: number, indent: string): boolean {
  const before = masked.slice(body.begin, place);
  if (/(?<!\w)(?:return|continue|break|skip\w*|exit|_exit)(?!\w)/i.test(before)) return false;
  let inside = indent.length;
  for (const line of before.split('\n').toReversed()) {
    const own = line.length - line.trimStart().length;
    if (!line.trim() || own >= inside) continue;
    if (own < body.indent.length) break;
    if (!/^(?:async\s+)?(?:for|with)\s/.test(line.trim()) || /raises|suppress/i.test(line)) return false;
    inside = own;
  }
  return inside === body.indent.length;
}

/** Lets a comparison expect another value: on the side that is written out, else on the right. */
function expectEither(source: Source, left: Span, right: Span, draw: Draw): Edit {
  const isLeft = !isWrittenOut(textOf(source.masked, right)) && isWrittenOut(textOf(source.masked, left));
  return expectOther(source.content, source.masked, isLeft ? left : right, draw, { wrapping });
}

/** Gives the value of an expression another one of its type. */
const wrapping: [string, string] = [
  '(lambda v: not v if isinstance(v, bool) else (v + 3 if v + 3 != v and v == v else 0) if isinstance(v, (int, float, complex)) else ' +
    "v[:-1] if isinstance(v, (str, bytes, list, tuple)) and len(v) > 1 else v + v if isinstance(v, (str, bytes, list, tuple)) and v else 'a' if v == '' else " +
    '(dict(list(v.items())[1:]) if v else {0: 0}) if isinstance(v, dict) else (set(list(v)[1:]) if v else {0}) if isinstance(v, (set, frozenset)) else [v])(',
  ')',
];

/** An assertion that is content with about the same. */
function expectOtherNumber(source: Source, given: Span[], draw: Draw): Edit | undefined {
  const [, expected, ...others] = given;
  if (!expected || others.some((one) => /delta/.test(textOf(source.masked, one)))) return undefined;
  if (!/^-?\d+(\.\d+)?$/.test(textOf(source.masked, expected))) return undefined;
  return expectOther(source.content, source.masked, expected, draw, { wrapping });
}

/** Errors that are no kinds of each other and have none of their own, so that none is what a test waits for by another name. */
const otherErrors = ['ZeroDivisionError', 'EOFError', 'BufferError', 'RecursionError'];

function expectOtherError({ content, masked }: Source, from: number, draw: Draw): Edit | undefined {
  const [expected] = splitOutside(masked, from, /,/);
  const unused = otherErrors.filter((name) => !content.includes(name));
  const name = unused[draw(Math.max(1, unused.length))];
  return expected && name ? { ...expected, text: name } : undefined;
}

/** A condition with one comparison of two values and nothing else. */
function sidesOf({ masked }: Source, condition: Span, operator: RegExp): [Span, Span] | undefined {
  const within = masked.slice(0, condition.end);
  const others = splitOutside(within, condition.begin, /(?<!\w)(?:and|or|not|if|in|is|lambda)(?!\w)|[<>]=?|:=/);
  const sides = splitOutside(within, condition.begin, /[!=]=/);
  if (sides.length !== 2 || others.length !== 1) return undefined;
  const [left, right] = sides as [Span, Span];
  return operator.test(masked.slice(left.end, right.begin)) ? [left, right] : undefined;
}

function isComparison(source: Source, condition: Span): boolean {
  return sidesOf(source, condition, /==/) !== undefined;
}

/** Lets a condition that held not hold: one that compares expects another value, one of several parts has a part that does not hold. */
function breakCondition(source: Source, condition: Span | undefined, draw: Draw): Edit | undefined {
  if (!condition || !textOf(source.masked, condition)) return undefined;
  const sides = sidesOf(source, condition, /==/);
  if (sides) return expectEither(source, ...sides, draw);
  const within = source.masked.slice(0, condition.end);
  const hasOther = splitOutside(within, condition.begin, /(?<!\w)(?:or|if|lambda)(?!\w)/).length > 1;
  const parts = hasOther ? [] : splitOutside(within, condition.begin, /(?<!\w)and(?!\w)/);
  if (parts.length > 1) return breakCondition(source, parts[draw(parts.length)], draw);
  return negate(source, condition);
}

function negate({ content, masked }: Source, condition: Span): Edit {
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

/** What follows a condition, perhaps after it has said why. */
const exitsAsFailed =
  /^:[ \t]*(?:\n(?:[ \t]+(?!(?:if|for|while|with|try|else|elif|return|continue|break)\b)[^\n]*\n){0,3}[ \t]+)?(?:raise(?!\w)|(?:sys\.exit|os\._exit|exit|quit)\(\s*(?:[1-9"]|f"))/;

/** A condition after which a program ends as failed: `if add(2, 3) != 5: sys.exit(1)`. */
function exitOtherwise(source: Source, from: number, draw: Draw): Edit | undefined {
  const [condition] = splitOutside(source.masked, from, /:(?!=)/);
  if (!condition || !exitsAsFailed.test(source.masked.slice(condition.end))) return undefined;
  const sides = sidesOf(source, condition, /!=/);
  return sides ? expectEither(source, ...sides, draw) : negate(source, condition);
}

function textOf(masked: string, { begin, end }: Span): string {
  return masked.slice(begin, end).trim();
}
