import { type Draw, drawOne } from '../draw.ts';
import { expectOther, hasLiteral, isWrittenOut } from '../other-value.ts';
import { type Edit, type Span, wrap } from '../source-text.ts';

export interface PythonSource {
  content: string;
  masked: string;
  /** The command may leave out rows of tables. */
  picksTests?: boolean;
}

/** Gives the value of an expression another one of its type. */
const wrapping: [string, string] = [
  '(lambda v: not v if isinstance(v, bool) else (v + 3 if v + 3 != v and v == v else 0) if isinstance(v, (int, float, complex)) else ' +
    "v[:-1] if isinstance(v, (str, bytes, list, tuple)) and len(v) > 1 else v + v if isinstance(v, (str, bytes, list, tuple)) and v else 'a' if v == '' else " +
    '(dict(list(v.items())[1:]) if v else {0: 0}) if isinstance(v, dict) else (set(list(v)[1:]) if v else {0}) if isinstance(v, (set, frozenset)) else [v])(',
  ')',
];

/**
 * Calls that make another value from another first argument: of a class, but none of a set, or of what equals several values, and of a number that is
 * compared with a tolerance of less than one.
 */
const constructors =
  /(?:\w+\.)*(?!Is[A-Z]|Any|Contains|Has|Approx|\w*Set\()[A-Z]\w*|(?:\w+\.)?(?:date|datetime|timedelta|time|call)|(?:pytest\.)?approx(?=\((?!.*\d{6})(?:[-\d.]+|\[[^=()]*\])(?:,\s*abs=(?:1e-\d+|0?\.[0-4]\d*))?\)$|\(-?\d{1,3}(?:\.\d*)?,\s*rel=1e-(?:[3-9]|\d\d)\)$)/;

/** Lets a comparison expect another value: on the side that is written out, else on the right. */
export function expectEither(source: PythonSource, left: Span, right: Span, draw: Draw): Edit {
  const [first, second] = [textOf(source.masked, left), textOf(source.masked, right)];
  if (!isWrittenOut(second) && isWrittenOut(first)) return expectOtherOf(source, left, draw);
  // Two of a class may be compared since it takes both for the same: `Level(300) == Level(100)`.
  const [name = ''] = /^[\w.]+\(/.exec(second) ?? [];
  return name !== '' && first.startsWith(name) ? wrapValue(source, right, draw) : expectOtherOf(source, right, draw);
}

/** Whether an expression has a value that is written out, or an argument from which it is made. */
export function isGiven({ content, masked }: PythonSource, expression: Span): boolean {
  return hasLiteral(content, masked, expression, constructors);
}

export function expectOtherOf(source: PythonSource, expected: Span, draw: Draw): Edit {
  const { content, masked } = source;
  return (
    otherMember(source, expected, draw) ?? expectOther(content, masked, expected, draw, { wrapping, constructors })
  );
}

function wrapValue({ content, masked }: PythonSource, expected: Span, draw: Draw): Edit {
  return expectOther(content, masked, expected, draw, { wrapping });
}

/** The other member that a file names of the class of one, as `Sign.PLUS` for `Sign.MINUS`; unless the two turn out to be the same. */
function otherMember({ content, masked }: PythonSource, expected: Span, draw: Draw): Edit | undefined {
  const text = textOf(masked, expected);
  const [, owner] = /^((?:\w+\.)*[A-Z]\w*)\.[A-Z][A-Z_\d]*$/.exec(text) ?? [];
  if (!owner) return undefined;
  const named = masked.match(
    new RegExp(`(?<![\\w.])${owner.replaceAll('.', '\\.')}\\.[A-Z][A-Z_\\d]*(?![\\w.(])`, 'g'),
  );
  const others = [...new Set(named)].filter((one) => one !== text);
  const other = drawOne(others, draw);
  const either = '(lambda v, w: [v] if w is v or repr(w) == repr(v) else w)(';
  return other === undefined ? undefined : wrap(content, masked, expected, [either, `, ${other})`]);
}

export function textOf(masked: string, { begin, end }: Span): string {
  return masked.slice(begin, end).trim();
}
