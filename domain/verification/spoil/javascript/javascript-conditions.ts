import type { Draw } from '../draw.ts';
import { asksTheWork, failureNames } from '../failure-names.ts';
import { expectOther, hasLiteral } from '../other-value.ts';
import { type Edit, type Span, splitOutside, wrap } from '../source-text.ts';
import type { Assertion } from './javascript-assertions.ts';
import { readCall } from './javascript-code.ts';
import { askForOther } from './javascript-truths.ts';

const ends = String.raw`(?:\bthrow\b|\bprocess\.exit\(\s*[1-9]|\bprocess\.exitCode\s*=\s*[1-9])`;
const functionThatEnds = new RegExp(
  String.raw`(?:^|\n)(?:function\s+([\w$]+)\s*\([^)]*\)|const\s+([\w$]+)\s*=\s*\([^)]*\)\s*=>)\s*\{(?:(?!\b(?:if|for|while|return)\b)[^{}])*${ends}`,
  'g',
);

/** What fails a program after a condition: at once, or by a function of its own. */
function failuresOf(masked: string): RegExp {
  const names = [...masked.matchAll(functionThatEnds)].flatMap(([, one, other]) => one ?? other ?? []);
  const calls = names.map((name) => String.raw`(?<![\w$.])${name.replaceAll('$', '\\$')}\(`);
  return new RegExp(String.raw`^\)\s*(?:\{[^{}]*)?(?:${[ends, ...calls].join('|')})`);
}

/** Conditions under which a program fails. */
export function findConditions(content: string, masked: string): Assertion[] {
  const counting = countingOf(masked);
  const failures = failuresOf(masked);
  const conditions = [...masked.matchAll(/(?<![\w$.])if\s*\(/g)].flatMap(({ 0: start, index: begin }): Assertion[] => {
    const condition = { begin: begin + start.length, end: readCall(masked, begin + start.length).end };
    const after = masked.slice(condition.end);
    if (!failures.test(after) && !counting?.test(after)) return [];
    const compares = sidesOf(masked, condition, /^!==?$/);
    const spoil: Assertion['spoil'] = (draw) => turnRound(content, masked, condition, draw);
    return [{ begin, isAsync: false, ...(compares && { compares }), spoil }];
  });
  const exits = [...masked.matchAll(exitsWellIf)].flatMap(({ 0: whole, 1: start = '', index }): Assertion[] => {
    const end = index + whole.lastIndexOf('?');
    const condition = { begin: index + start.length, end };
    if (!asksTheWork(masked.slice(condition.begin, end))) return [];
    return [{ begin: index, isAsync: false, spoil: (draw) => breakCondition(content, masked, condition, draw) }];
  });
  return [...conditions, ...exits];
}

/** An exit as passed under a condition: `process.exit(add(2, 3) === 5 ? 0 : 1)`. */
const exitsWellIf = /(?<![\w$.])(process\.(?:exit\(|exitCode\s*=))[^;?\n]*\?\s*0\s*:\s*[1-9]/g;

/** Lets a condition that holds not do so. */
function breakCondition(content: string, masked: string, condition: Span, draw: Draw): Edit {
  const compared = sidesOf(masked, condition, /^===?$/);
  const literal = compared?.toReversed().find((one) => hasLiteral(content, masked, one));
  if (literal) return expectOther(content, masked, literal, draw, { wrapping: ['', ''] });
  return askForOther(content, masked, condition, draw) ?? wrap(content, masked, condition, ['!(', ')']);
}

/** The two values that a condition compares by an operator, and nothing else. */
function sidesOf(masked: string, { begin, end }: Span, operator: RegExp): [Span, Span] | undefined {
  const [left, right, ...others] = splitOutside(masked.slice(0, end), begin, /[=!]==?|[<>]=?|&&|\|\||\?/);
  if (!left || !right || others.length > 0) return undefined;
  return operator.test(masked.slice(left.end, right.begin)) ? [left, right] : undefined;
}

const exitsWith = /\bprocess\.(?:exit\(|exitCode\s*=)([^;\n]*)/g;

/** How a program counts a failure after a condition, if its exit code depends on whether there was one. */
function countingOf(masked: string): RegExp | undefined {
  const names = failureNames(masked, exitsWith);
  const counts = `(?:${names.join('|')})(?:\\s*\\+=|\\+\\+|\\.push\\(|\\s*=\\s*true)`;
  return names.length > 0 ? new RegExp(`^\\)\\s*(?:\\{[^{}]*)?(?<![\\w$.])${counts}`) : undefined;
}

const turned: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

/** Lets a condition that does not hold do so: one of its alternatives expects another value, or is turned round. */
function turnRound(content: string, masked: string, condition: Span, draw: Draw): Edit {
  const within = masked.slice(0, condition.end);
  const alternatives = splitOutside(within, condition.begin, /\|\|/);
  const { begin, end } = alternatives[draw(alternatives.length)] ?? condition;
  const inside = within.slice(0, end);
  const [left, right, ...further] = splitOutside(inside, begin, /[=!]==?|[<>]=?/);
  const isSimple = splitOutside(inside, begin, /&&|\?|=>|\bin\b|\binstanceof\b/).length === 1 && !further.length;
  const compared = left && right ? [right, left] : [];
  const literal = compared.find((one) => hasLiteral(content, masked, one));
  const differs = left && right && /^!==?$/.test(masked.slice(left.end, right.begin));
  if (isSimple && differs && literal) return expectOther(content, masked, literal, draw, { wrapping: ['', ''] });
  const operator = left && right ? turned[masked.slice(left.end, right.begin)] : undefined;
  if (isSimple && left && right && operator) return { begin: left.end, end: right.begin, text: operator };
  const [not] = /^\s*!(?!=)/.exec(inside.slice(begin)) ?? [];
  const asked = not ? askForOther(content, masked, { begin: begin + not.length, end }, draw) : undefined;
  if (asked) return asked;
  const negation = /^\s*!(?=[\w$.]+(?:\([^()]*\))?\s*$)/.exec(inside.slice(begin));
  if (negation) return { begin: begin + negation[0].length - 1, end: begin + negation[0].length, text: '' };
  return wrap(content, masked, { begin, end }, ['!(', ')']);
}
