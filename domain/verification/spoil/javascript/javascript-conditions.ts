import type { Draw } from '../draw.ts';
import { type Edit, type Span, splitOutside, wrap } from '../source-text.ts';
import type { Assertion } from './javascript-assertions.ts';
import { readCall } from './javascript-code.ts';

const failures = /^\)\s*(?:\{[^{}]*)?(?:\bthrow\b|\bprocess\.exit\(\s*[1-9]|\bprocess\.exitCode\s*=\s*[1-9])/;

/** Conditions under which a program fails. */
export function findConditions(content: string, masked: string): Assertion[] {
  return [...masked.matchAll(/(?<![\w$.])if\s*\(/g)].flatMap(({ 0: start, index: begin }) => {
    const condition = { begin: begin + start.length, end: readCall(masked, begin + start.length).end };
    if (!failures.test(masked.slice(condition.end))) return [];
    return [{ begin, isAsync: false, spoil: (draw) => turnRound(content, masked, condition, draw) }];
  });
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

/** Lets a condition that does not hold do so: one of its alternatives is turned round. */
function turnRound(content: string, masked: string, condition: Span, draw: Draw): Edit {
  const within = masked.slice(0, condition.end);
  const alternatives = splitOutside(within, condition.begin, /\|\|/);
  const { begin, end } = alternatives[draw(alternatives.length)] ?? condition;
  const inside = within.slice(0, end);
  const [left, right, ...further] = splitOutside(inside, begin, /[=!]==?|[<>]=?/);
  const isSimple = splitOutside(inside, begin, /&&|\?|=>|\bin\b|\binstanceof\b/).length === 1 && !further.length;
  const operator = left && right ? turned[masked.slice(left.end, right.begin)] : undefined;
  if (isSimple && left && right && operator) return { begin: left.end, end: right.begin, text: operator };
  const negation = /^\s*!(?=[\w$.]+(?:\([^()]*\))?\s*$)/.exec(inside.slice(begin));
  if (negation) return { begin: begin + negation[0].length - 1, end: begin + negation[0].length, text: '' };
  return wrap(content, masked, { begin, end }, ['!(', ')']);
}
