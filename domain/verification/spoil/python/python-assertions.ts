import { type Draw, drawOne } from '../draw.ts';
import { asksTheWork } from '../failure-names.ts';
import { otherPattern } from '../other-text.ts';
import { expectOther, hasLiteral } from '../other-value.ts';
import { type Edit, type Span, splitOutside } from '../source-text.ts';
import { expectOtherError } from './other-error.ts';
import { expectEither, expectOtherOf, type PythonSource, textOf } from './other-python-value.ts';
import { expectOfCalls } from './python-calls.ts';
import { askForOther, breakCondition, fulfilCondition, otherString, sidesOf } from './python-conditions.ts';
import { endsAsFailed } from './python-failures.ts';
import { expectOfTable } from './python-tables.ts';
import { type PythonBody, surelyRuns } from './surely-runs.ts';

/**
 * For each assertion that surely runs in a body, a change with which it fails where it held before; or one for each call that `callers` make of the body's
 * function, where these say what it compares with.
 */
export function findAssertions(source: PythonSource, body: PythonBody, draw: Draw, callers: PythonBody[] = []): Edit[] {
  return [...source.masked.slice(body.begin, body.end).matchAll(statement)].flatMap((found) => {
    const [whole, indent = '', kind = ''] = found;
    const begin = body.begin + found.index;
    if (!surelyRuns(source.masked, body, begin, indent)) return [];
    const place = { begin: begin + indent.length, from: begin + whole.length };
    const isCondition = kind.startsWith('if');
    const sides = isCondition && callers.length === 0 ? undefined : comparedOf(source, kind, place.from);
    const ofCalls = sides ? expectOfCalls(source, { function: body, callers, begin }, sides, draw) : [];
    if (ofCalls.length) return ofCalls;
    const expected = isCondition ? undefined : sides?.[1];
    const ofTable = expected && expectOfTable(source, body, { begin, end: place.from }, expected, draw);
    const edit = ofTable ?? spoil(source, kind, place, draw);
    return edit ? [edit] : [];
  });
}

const statement =
  /^([ \t]*)(assert(?=[\s(])|self\.assert\w+\(|(?:with\s+)?(?:self\.assertRaises(?:Regex)?|pytest\.raises|raises)\(|if\s|(?:[\w.]+\.)?assert_\w+\(|(?:sys\.exit|os\._exit|exit|quit|raise\s+SystemExit)\()/gm;

/** What an assertion, or a condition after which a program ends as failed, compares with one another. */
function comparedOf(source: PythonSource, kind: string, from: number): [Span, Span] | undefined {
  const [first, second] = splitOutside(source.masked, from, /,/, /(?<!\\)\n/);
  if (kind === 'assert') return first && sidesOf(source, first, /==/);
  if (kind === 'self.assertEqual(') return first && second && [first, second];
  if (!kind.startsWith('if')) return undefined;
  const [condition] = splitOutside(source.masked, from, /:(?!=)/);
  return condition && endsAsFailed(source.masked, condition.end) ? sidesOf(source, condition, /!=/) : undefined;
}

function spoil(
  source: PythonSource,
  kind: string,
  { begin, from }: { begin: number; from: number },
  draw: Draw,
): Edit | undefined {
  if (/raises|Raises/.test(kind)) return expectOtherError(source, from, draw);
  if (kind.startsWith('if')) return exitOtherwise(source, from, draw);
  if (/^(?:sys\.exit|os\._exit|exit|quit|raise)/.test(kind)) return exitAsFailed(source, from, draw);
  if (kind === 'assert') return breakCondition(source, splitOutside(source.masked, from, /,/, /(?<!\\)\n/)[0], draw);
  const given = splitOutside(source.masked, from, /,/).filter((one) => textOf(source.masked, one));
  if (!kind.startsWith('self.assert')) return expectOtherLiteral(source, kind, given, draw);
  const name = kind.slice('self.assert'.length, -1);
  if (equal.test(name)) return given[0] && given[1] ? expectEither(source, given[0], given[1], draw) : undefined;
  if (/^AlmostEquals?$/.test(name)) return expectOtherNumber(source, given, draw);
  const opposite = opposites[name];
  const place = begin + 'self.assert'.length;
  const turned = opposite && { begin: place, end: place + name.length, text: opposite };
  return askOtherwise(source, name, given, draw) ?? (turned || undefined);
}

/** Lets an assertion ask for something else that is written out, if it does for something that surely does not hold then. */
function askOtherwise(source: PythonSource, name: string, given: Span[], draw: Draw): Edit | undefined {
  const [first, second] = given;
  if (name === 'True' && first)
    return sidesOf(source, first, /==/) ? breakCondition(source, first, draw) : askForOther(source, first, draw);
  if (name === 'In' && first) return otherString(source.content, first, draw);
  if (name === 'Regex' && second) return otherString(source.content, second, draw, otherPattern);
  return undefined;
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
  if (!expected || !others.every((one) => isPrecise.test(textOf(source.masked, one)))) return undefined;
  if (!/^-?\d+(\.\d+)?$/.test(textOf(source.masked, expected))) return undefined;
  return expectOtherOf(source, expected, draw);
}

/** Options with which a number of another whole part does not pass for about the same: places after the point, or a tolerance below a half. */
const isPrecise = /^(?:(?:places\s*=\s*)?[1-9]\d*|msg\s*=.*|delta\s*=\s*(?:0?\.[0-4]\d*|\de-(?:[2-9]|[1-9]\d)))$/;

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
  const chosen = isOfMock ? drawOne(literals, draw) : literals[0];
  return chosen && (isOfMock || isExact)
    ? expectOther(content, masked, chosen, draw, { wrapping: ['', ''], constructors: arrays })
    : undefined;
}

/** An exit whose code depends on a condition: `sys.exit(0 if add(2, 3) == 5 else 1)`, `exit(add(2, 3) != 5)`. */
function exitAsFailed(source: PythonSource, from: number, draw: Draw): Edit | undefined {
  const [code, ...others] = splitOutside(source.masked, from, /,/);
  if (!code || others.length > 0) return undefined;
  const text = source.masked.slice(code.begin, code.end);
  if (!asksTheWork(text)) return undefined;
  const within = (start: number, length: number): Span => ({
    begin: code.begin + start,
    end: code.begin + start + length,
  });
  const [, well, holds = '', otherwise] = /^\s*(\d+)\s+if\s([^\n]*)\selse\s+(\d+)\s*$/.exec(text) ?? [];
  if (well !== undefined) {
    const condition = within(text.indexOf(' if ') + 4, holds.length);
    if (well === '0' && otherwise !== '0') return breakCondition(source, condition, draw);
    return well !== '0' && otherwise === '0' ? fulfilCondition(source, condition, draw) : undefined;
  }
  const [not, negated = ''] = /^\s*not\s([\s\S]*)$/.exec(text) ?? [];
  if (not !== undefined) return breakCondition(source, within(not.length - negated.length, negated.length), draw);
  return sidesOf(source, code, /!=/) ? fulfilCondition(source, code, draw) : undefined;
}

/** A condition after which a program ends as failed: `if add(2, 3) != 5: sys.exit(1)`. */
function exitOtherwise(source: PythonSource, from: number, draw: Draw): Edit | undefined {
  const [condition] = splitOutside(source.masked, from, /:(?!=)/);
  if (!condition || !endsAsFailed(source.masked, condition.end)) return undefined;
  return fulfilCondition(source, condition, draw);
}
