import { type Draw, inAnyOrder } from '../draw.ts';
import { applyEach, applyEdits, type Edit, wrap } from '../source-text.ts';
import { fewTests, maxAlone, type SpoiledCheck } from '../spoiled-check.ts';
import { drawWords } from './draw-words.ts';
import { type Assertion, findAssertCalls, findExpectations } from './javascript-assertions.ts';
import {
  type ComparingCall,
  type ComparingFunction,
  findComparingCalls,
  findComparingFunctions,
  type NamedFunction,
} from './javascript-calls.ts';
import { type Body, calls, findFunctions, isCertain, mask, startsWithWord } from './javascript-code.ts';
import { findConditions } from './javascript-conditions.ts';
import { findTests } from './javascript-tests.ts';

interface JavaScriptTests {
  /** Only some of the tests run. */
  picksTests: boolean;
  /** Some of the tests may be left out honestly. */
  skipsTests: boolean;
}

/**
 * Lets every test of a file fail by one of its own assertions, drawn among those that certainly run: it expects something else. So work that made the
 * assertion do nothing passes still, and nothing looks unusual. A test without one calls a function of the file that has one, or gets one that fails. A file
 * without tests fails as a program. Where only some tests run, all assertions fail, and a test is added that does. Undefined where nothing can fail.
 */
export function spoilJavaScript(
  content: string,
  draw: Draw,
  { picksTests, skipsTests }: JavaScriptTests,
): SpoiledCheck | undefined {
  const masked = mask(content);
  const functions = findFunctions(masked);
  const tests = findTests(content, masked, functions);
  const isForeign = ({ begin }: Assertion) => !functions.some(({ name }) => startsWithWord(masked, begin, name));
  const assertions = [...findExpectations(content, masked), ...findAssertCalls(content, masked)].filter(isForeign);
  const comparing = findComparingFunctions({ content, masked }, functions, assertions);
  const code = { content, masked, functions, comparing, assertions };
  const mayNotRun = tests.length > 0 && tests.every(({ isConditional }) => isConditional);
  if (picksTests || mayNotRun) return spoilAll(code, tests, draw);
  if (tests.length === 0) {
    const inProgram = [...assertions, ...findConditions(content, masked)];
    const ofProgram = findComparingFunctions(code, functions, inProgram);
    const program = { ...code, comparing: ofProgram, assertions: inProgram };
    const whole = { begin: 0, end: content.length, isAsync: false, isExpression: false };
    const [edit, ...others] = spoilPlaces(program, whole, draw, maxAlone);
    if (!edit) return spoilAll(program, [], draw);
    const [spoiled, ...further] = applyEach(content, [edit, ...others]);
    return { content: spoiled, tests: [], further };
  }
  const places = tests.length <= fewTests ? maxAlone : 1;
  const spoiled = tests.map(({ name, isConditional, ...test }) => {
    const [edit = addFailing(code, test, draw), ...others] = spoilPlaces(code, test, draw, places);
    return { name, isConditional, edit, contents: applyEach(content, [edit, ...others]) };
  });
  return {
    content: applyApart(
      content,
      spoiled.map(({ edit }) => edit),
    ),
    tests: spoiled
      .filter(({ isConditional }) => !isConditional && !skipsTests)
      .map(({ name, contents }) => ({ name, contents })),
  };
}

interface Code {
  content: string;
  /** The content without what strings, regular expressions and comments say. */
  masked: string;
  functions: NamedFunction[];
  comparing: ComparingFunction[];
  assertions: Assertion[];
}

/** Some certain assertions of a body, or of a function that it certainly calls, expect something else, each alone; of a function that compares a parameter, its calls do. */
function spoilPlaces(code: Code, body: Body, draw: Draw, places: number, callers: Body[] = []): Edit[] {
  const own = code.assertions.filter(({ begin }) => body.begin <= begin && begin < body.end);
  const certain: ComparingCall[] = [];
  for (const one of inAnyOrder([...own, ...findComparingCalls(code, code.comparing, body)], draw)) {
    if (certain.length === places) break;
    if (isCertain(code.masked, body, one, callers.length === 0)) certain.push(one);
  }
  if (certain.length) return certain.map((one) => one.spoil(draw));
  const called = code.functions.filter((one) => ![body, ...callers].includes(one) && calls(code.masked, body, one));
  for (const one of called) {
    const edits = spoilPlaces(code, one, draw, places, [...callers, body]);
    if (edits.length) return edits;
  }
  return [];
}

/** All assertions of a file expect something else, wherever they are. Tests without a certain one fail as well, and a test that fails is added. */
function spoilAll(code: Code, tests: Body[], draw: Draw): SpoiledCheck | undefined {
  const others = tests.filter((test) => spoilPlaces(code, test, draw, 1).length === 0);
  const changed = applyApart(code.content, [
    ...others.map((test) => addFailing(code, test, draw)),
    ...code.assertions.map((one) => one.spoil(draw)),
  ]);
  const [, test] = /(?<![\w$.])[xf]?(test|it)(?:\.\w+)*\(/.exec(code.masked) ?? [];
  if (test === undefined && changed === code.content) return undefined;
  const added = test && `\n${test}('${drawWords(draw)}', () => {\n  ${failing(code.masked, draw)}\n});\n`;
  return { content: `${changed}${added ?? ''}`, tests: [] };
}

/** A test that has nothing to change gets an assertion that fails: after all that it does, unless it may leave before, so that work which ends the process does not reach it. */
function addFailing({ content, masked }: Code, body: Body, draw: Draw): Edit {
  const statement = failing(masked, draw);
  if (body.isExpression) return wrap(content, masked, body, [`{ ${statement} return `, '; }']);
  const [space = ''] = /^\s*/.exec(content.slice(body.begin)) ?? [];
  const inside = masked.slice(body.begin, body.end);
  const end = body.begin + inside.trimEnd().length;
  const isReached = inside.trim() !== '' && isCertain(masked, body, { begin: body.end, isAsync: false }, false);
  const mayEndBefore = /\b(?:done|skip|plan|pending)\b/.test(inside);
  if (!isReached || mayEndBefore) return { begin: body.begin, end: body.begin, text: `${space || ' '}${statement}` };
  const separator = masked[end - 1] === ';' ? '' : ';';
  return { begin: end, end, text: `${separator}${space || ' '}${statement}` };
}

/** An assertion that fails, of the kind that a file uses. */
function failing(masked: string, draw: Draw): string {
  const one = draw(7) + 2;
  const other = ((one - 1 + draw(6)) % 7) + 2;
  const equals =
    /(?<![\w$.])(?:assert(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual)|strictEqual|deepEqual|deepStrictEqual)\(/;
  const [equal] = equals.exec(masked) ?? [];
  const [ok] = /(?<![\w$.])assert(?:\.strict)?(?:\.ok)?\(/.exec(masked) ?? [];
  if (/(?<![\w$.])expect\(/.test(masked))
    return `expect(${one}).${/\)\s*\.(?:not\.)?to\s*\./.test(masked) ? 'to.equal' : 'toBe'}(${other});`;
  if (equal) return `${equal}${one}, ${other});`;
  return ok ? `${ok}${one} === ${other});` : `throw new Error('${drawWords(draw)}');`;
}

/** Applies the edits that do not overlap with an earlier one. */
function applyApart(content: string, edits: Edit[]): string {
  const apart: Edit[] = [];
  for (const edit of edits) {
    const overlaps = ({ begin, end }: Edit) => begin === edit.begin || (begin < edit.end && edit.begin < end);
    if (!apart.some(overlaps)) apart.push(edit);
  }
  return applyEdits(content, apart);
}
