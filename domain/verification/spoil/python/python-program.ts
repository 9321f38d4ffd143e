import { type Draw, inAnyOrder } from '../draw.ts';
import { isWrittenOut } from '../other-value.ts';
import { type Edit, splitOutside } from '../source-text.ts';
import { expectEither, type PythonSource } from './other-python-value.ts';
import { findAssertions } from './python-assertions.ts';
import { sidesOf } from './python-conditions.ts';
import { countingOf } from './python-failures.ts';
import { findTests, type PythonTest } from './python-tests.ts';
import { type PythonBody, surelyRuns, surelyRunsAny } from './surely-runs.ts';

/**
 * A program without tests fails by an assertion of its own statements, of its main function or of one that it calls, else by one that is added: before its
 * main part or the exit at its end, or after what it imports, if it may exit before.
 * @returns Up to so many places in which it fails, each alone.
 */
export function spoilProgram(source: PythonSource, draw: Draw, places: number): [Edit, ...Edit[]] {
  const { content, masked } = source;
  const whole: PythonBody = { begin: 0, end: content.length, indent: '' };
  const main = /^if\s+__name__\s*==/m.exec(masked);
  const functions = findTests(masked, /\w+/).filter(
    ({ name, kind, owner }) =>
      kind === 'named' && owner === '' && ((main && name === 'main') || isCalled(masked, whole, name)),
  );
  const ofMain = functions.find(({ name }) => name === 'main');
  if (ofMain) functions.push(...findTests(masked, /\w+/).filter(({ name }) => isCalled(masked, ofMain, name)));
  const callers = [whole, ...(ofMain ? [ofMain] : [])];
  const own = [whole, ...functions].flatMap((body) => findAssertions(source, body, draw, callers));
  const compared = findComparisons(source, whole, functions, draw);
  const place = main?.index ?? endOf(masked);
  const [first, ...further] = inAnyOrder(compared.length > 0 ? compared : own, draw).slice(0, places);
  const added = () => insertFailing(place, place > 0 && content[place - 1] !== '\n' ? '\n' : '', false, draw);
  return [first ?? added(), ...further];
}

/** Whether a program surely calls a function of its own, which nothing wraps. */
function isCalled(masked: string, whole: PythonBody, name: string): boolean {
  return isPlain(masked, name) && isCalledIn(masked, whole, name);
}

function isPlain(masked: string, name: string): boolean {
  return new RegExp(`(?<!(?:^|\\n)@[^\\n]*\\n)^def\\s+${name}\\s*\\(`, 'm').test(masked);
}

function isCalledIn(masked: string, body: PythonBody, name: string): boolean {
  return surelyRunsAny(
    masked,
    body,
    new RegExp(`^([ \\t]*)(?:(?:sys\\.exit|exit|raise[ \\t]+SystemExit)\\(\\s*)?${name}\\(`, 'gm'),
  );
}

/** The comparisons that a program gives to a function of its own which counts failures: `check('adds', add(2, 3) == 5)`. Each expects another value. */
function findComparisons(source: PythonSource, whole: PythonBody, called: PythonTest[], draw: Draw): Edit[] {
  const { masked } = source;
  const counting = countingOf(masked);
  const names = called
    .filter(({ name, begin, end }) => checkNames.test(name) && counting?.test(masked.slice(begin, end)))
    .map(({ name }) => name);
  if (names.length === 0) return [];
  return [...masked.matchAll(new RegExp(`^([ \\t]*)(?:${names.join('|')})\\(`, 'gm'))].flatMap((call) => {
    const [start, indent = ''] = call;
    if (!surelyRuns(masked, whole, call.index, indent)) return [];
    const [compared, ...others] = splitOutside(masked, call.index + start.length, /,/).flatMap((one) => {
      const sides = sidesOf(source, one, /==/);
      return sides?.some(({ begin, end }) => isWrittenOut(masked.slice(begin, end))) ? [sides] : [];
    });
    return compared && others.length === 0 ? [expectEither(source, ...compared, draw)] : [];
  });
}

/** Names of functions that take what has to hold. */
const checkNames = /^(?:check|expect|verify|ok|assert)(?:_?(?:that|true|eq|equal|equals))?$/i;

/** Ends a Python program before the end of its text. */
const exits = /(?<![\w.])(?:sys\.exit|os\._exit|exit|quit)\s*\(|(?<!\w)SystemExit/;

/** Where all that a program does is done: at the end of its text or before the exit there; else where it begins, if it may exit before. */
function endOf(masked: string): number {
  const last = /^(?:sys\.exit|os\._exit|exit|quit|raise\s+SystemExit)\b[^\n]*\s*(?![\s\S])/m.exec(masked);
  const end = last?.index ?? masked.length;
  return exits.test(masked.slice(0, end)) ? endOfImports(masked) : end;
}

function endOfImports(masked: string): number {
  const imports = [...masked.matchAll(/^(?:import|from)\s(?:[^(\n]|\([^)]*\))*\n/gm)];
  const last = imports.at(-1);
  return last ? last.index + last[0].length : 0;
}

/** Adds an assertion that fails. */
export function insertFailing(place: number, indent: string, isCase: boolean, draw: Draw): Edit {
  const number = 2 + draw(7);
  const text = isCase ? `self.assertEqual(${number}, ${number + 1})` : `assert ${number} == ${number + 1}`;
  return { begin: place, end: place, text: `${indent}${text}\n` };
}
