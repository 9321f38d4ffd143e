import type { Draw } from '../draw.ts';
import { expectOther, hasLiteral } from '../other-value.ts';
import { type Edit, type Span, wrap } from '../source-text.ts';
import { type Assertion, wrapping } from './javascript-assertions.ts';
import { type Body, isCertain, readCall } from './javascript-code.ts';

export interface NamedFunction extends Body {
  name: string;
}

/** A function with an assertion that surely runs in it, and compares some of its parameters. */
export interface ComparingFunction extends NamedFunction {
  /** The numbers of these parameters, from 0. */
  compared: number[];
}

interface Source {
  content: string;
  masked: string;
}

/**
 * Functions that compare a parameter, as `function check(name, actual, expected) { assert.equal(actual, expected); }`; none that uses it before, so that another
 * value may be right.
 */
export function findComparingFunctions(
  { content, masked }: Source,
  functions: NamedFunction[],
  assertions: Assertion[],
): ComparingFunction[] {
  return functions.flatMap((called) => {
    const own = assertions.find(({ begin, compares }) => compares && called.begin <= begin && begin < called.end);
    const sides = own?.compares ?? [];
    if (!own || sides.some((side) => hasLiteral(content, masked, side)) || !isCertain(masked, called, own, true))
      return [];
    const parameters = parametersOf(masked, called);
    const before = masked.slice(called.begin, own.begin);
    const compared = sides.flatMap((side) => {
      const name = nameIn(masked, side);
      const index = name === undefined ? -1 : parameters.indexOf(name);
      return index < 0 || new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(before) ? [] : index;
    });
    return compared.length > 0 ? [{ ...called, compared }] : [];
  });
}

/** A call of such a function, which gives a value that is written out for a parameter that it compares with. */
export interface ComparingCall {
  begin: number;
  isAsync: boolean;
  /** The change with which the function's assertion fails. */
  spoil(draw: Draw): Edit;
}

/** The calls in a body, and not in the function itself. */
export function findComparingCalls(
  { content, masked }: Source,
  functions: ComparingFunction[],
  body: Body,
): ComparingCall[] {
  const others = functions.filter(({ begin, end }) => body.begin < begin || end < body.end);
  return others.flatMap(({ name, compared, isAsync }) => {
    const found = masked.slice(body.begin, body.end).matchAll(new RegExp(`(?<![\\w$.])${name}\\s*\\(`, 'g'));
    return [...found].flatMap(({ 0: start, index }): ComparingCall[] => {
      const begin = body.begin + index;
      const { args } = readCall(masked, begin + start.length);
      const given = compared.flatMap((place) => args[place] ?? []).filter((one) => hasLiteral(content, masked, one));
      const [expected] = given;
      if (!expected || given.length > 1 || args.some((one) => masked.startsWith('...', one.begin))) return [];
      return [{ begin, isAsync, spoil: (draw) => expectOther(content, masked, expected, draw, { wrapping }) }];
    });
  });
}

/** Characters of the longest list of parameters that is read. */
const maxParameters = 500;

/** The names of a function's parameters; none if one of them is taken apart. */
function parametersOf(masked: string, { begin }: NamedFunction): string[] {
  const before = masked.slice(Math.max(0, begin - maxParameters), begin);
  const [, inside = ''] = /\(([^()]*)\)\s*(?::[^={}();]*)?(?:=>\s*)?\{?$/.exec(before) ?? [];
  if (/[{[]|\.\.\./.test(inside)) return [];
  return inside.split(',').map((one) => one.replace(/[?:=][\s\S]*/, '').trim());
}

function nameIn(masked: string, span: Span): string | undefined {
  return /^[A-Za-z_]\w*$/.exec(wrap(masked, masked, span, ['', '']).text)?.[0];
}
