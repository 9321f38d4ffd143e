import type { Draw } from '../draw.ts';
import { type Edit, type Span, splitOutside } from '../source-text.ts';
import { expectOtherOf, isGiven, type PythonSource, textOf } from './other-python-value.ts';
import { type PythonBody, surelyRuns } from './surely-runs.ts';

/**
 * Lets calls of the function that an assertion is in give another value for the parameter that it compares with, as `check('1 + 2', 3)` of
 * `def check(text, value): assert evaluate(text) == value`: those that surely run in the bodies of callers, each alone. None where the function uses the parameter
 * before, so that the other value may be right.
 */
export function expectOfCalls(
  source: PythonSource,
  { function: called, callers, begin }: { function: PythonBody; callers: PythonBody[]; begin: number },
  sides: [Span, Span],
  draw: Draw,
): Edit[] {
  if (callers.length === 0) return [];
  const { masked } = source;
  const { name, parameters } = signatureOf(masked, called) ?? { name: '', parameters: [] };
  const before = masked.slice(called.begin, begin);
  const compared = sides.flatMap((side) => {
    const parameter = textOf(masked, side);
    const index = parameters.indexOf(parameter);
    return index < 0 || new RegExp(`(?<!\\w)${parameter}(?!\\w)`).test(before) ? [] : index;
  });
  const places = compared.filter((index) => index >= 0);
  if (name === '' || places.length === 0 || sides.some((side) => isGiven(source, side))) return [];
  return [...masked.matchAll(new RegExp(`^([ \\t]*)${name}\\(`, 'gm'))].flatMap((call) => {
    const [start, indent = ''] = call;
    const isIn = ({ begin: from, end }: PythonBody) => from <= call.index && call.index < end;
    if (!callers.some((body) => isIn(body) && surelyRuns(masked, body, call.index, indent))) return [];
    const args = splitOutside(masked, call.index + start.length, /,/);
    if (args.some((one) => /^(?:\*|\w+\s*=(?!=))/.test(textOf(masked, one)))) return [];
    const [given, ...others] = places.flatMap((index) => args[index] ?? []).filter((one) => isGiven(source, one));
    return given && others.length === 0 ? [expectOtherOf(source, given, draw)] : [];
  });
}

/** Characters of the longest beginning of a function that is read, with a line before it. */
const maxSignature = 500;

/** The name and the parameters of a function of the module that nothing wraps. */
function signatureOf(masked: string, { begin }: PythonBody): { name: string; parameters: string[] } | undefined {
  const before = masked.slice(Math.max(0, begin - maxSignature), begin);
  const [, name = '', inside = ''] =
    /(?:^|\n)(?<!(?:^|\n)@[^\n]*\n)def[ \t]+(\w+)[ \t]*\(([^()]*)\)[^\n:]*:[ \t]*\n?$/.exec(before) ?? [];
  if (name === '' || inside.includes('*')) return undefined;
  return { name, parameters: inside.split(',').map((one) => one.replace(/[:=][\s\S]*/, '').trim()) };
}
