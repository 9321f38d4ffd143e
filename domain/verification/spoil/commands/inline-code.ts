import { type Draw, drawOne } from '../draw.ts';
import { askForOther } from '../javascript/javascript-truths.ts';
import { spoilJavaScript } from '../javascript/spoil-javascript.ts';
import { expectOther } from '../other-value.ts';
import { findAssertions } from '../python/python-assertions.ts';
import { askForOther as askForOtherOfPython } from '../python/python-conditions.ts';
import {
  applyEdits,
  type Edit,
  maskTokens,
  type Span,
  splitOutside,
  tokensOfJavaScript,
  tokensOfPython,
  wrap,
} from '../source-text.ts';

/** Code given to an interpreter in a command. */
const inlineCode =
  /(?<![\w./-])(?:\/[\w./-]*\/)?(?:(python[\d.]*)(?:\s+(?:-[XW]\s+\S+|-[A-Zbdiqsuvx]+|--[\w-]+(?:=\S+)?))*\s+-[A-Zbdiqsuvx]*c|node(?:\s+(?:-r\s+\S+|--(?:require|import)\s+\S+|--[\w-]+(?:=\S+)?))*\s+(?:-e|-p|-pe|--eval))\s+(?:'([^']*)'|"((?:\\[\s\S]|[^"\\])*)")/g;

/**
 * Lets code that asserts in a command, as in `python3 -c "...; assert ..."`, fail at its last assertion, or after it, so that the command fails unless
 * the code under test ended the interpreter before. None where its failure would not have to be the command's.
 */
export function spoilInlineCode(command: string, draw: Draw): Edit[] {
  return [...command.matchAll(inlineCode)].flatMap((call) => {
    const [whole, python, single, double = ''] = call;
    const place = { begin: call.index, end: call.index + whole.length };
    if (!decides(command, place)) return [];
    const code = single ?? unquote(double);
    const edit = python ? spoilPythonCode(code, draw) : spoilJavaScriptCode(code, draw);
    if (!edit) return [];
    const spoiled = applyEdits(code, [edit]);
    const text = single === undefined ? quote(spoiled) : spoiled;
    return [{ begin: place.end - 1 - (single ?? double).length, end: place.end - 1, text }];
  });
}

/** What is between double quotes, with plain quotes in it; the rest stays as the shell reads it. */
function unquote(text: string): string {
  return text.replace(/\\([\s\S])/g, (escaped, character) => (character === '"' ? '"' : escaped));
}

function quote(text: string): string {
  return text.replaceAll('"', '\\"');
}

function spoilPythonCode(code: string, draw: Draw): Edit | undefined {
  const masked = maskTokens(code, tokensOfPython);
  const statements = splitOutside(masked, 0, /[;\n]/);
  const last = statements.findLast(
    ({ begin, end }) => /^[ \t]*assert(?![\w.])/.test(masked.slice(begin, end)) && !isInBlock(masked, begin),
  );
  if (last) return spoilPythonAssert(code, masked, last, draw);
  const [one, other] = twoNumbers(draw);
  if (asserts(masked, statements.at(-1))) return append(code, `\nassert ${one} == ${other}`);
  // Each statement on a line of its own, at the same place.
  const lines = masked.replace(/^.+$/gm, (line) =>
    block.test(line) ? line : line.replace(/;( *)/g, (_, space: string) => `${space}\n`),
  );
  const content = code
    .split('')
    .map((character, index) => (lines[index] === masked[index] ? character : lines[index]))
    .join('');
  return drawOne(findAssertions({ content, masked: lines }, { begin: 0, end: code.length, indent: '' }, draw), draw);
}

function spoilPythonAssert(code: string, masked: string, { begin, end }: Span, draw: Draw): Edit {
  const from = masked.indexOf('assert', begin) + 'assert'.length;
  const [condition = { begin: from, end }] = splitOutside(masked.slice(0, end), from, /,/);
  const within = masked.slice(0, condition.end);
  const sides = splitOutside(within, from, /==/);
  const parts = splitOutside(within, from, /(?<!\w)(?:and|or|not|if|in|is|lambda)(?!\w)|[<>!]=?/);
  if (sides.length === 2 && parts.length === 1) return expectOtherOf(code, masked, sides, draw, ['[', ']']);
  const asked = askForOtherOfPython({ content: code, masked }, condition, draw);
  return asked ?? wrap(code, masked, condition, [isSpaced(masked, condition) ? 'not (' : ' not (', ')']);
}

/** Whether a statement of Python is in a loop, a function or the like, or on the line of one. */
function isInBlock(masked: string, place: number): boolean {
  const line = masked.slice(masked.lastIndexOf('\n', place - 1) + 1);
  return block.test(line);
}

const block = /^(?:[ \t]|(?:async|class|def|elif|else|except|finally|for|if|try|while|with)\b)/;

function isSpaced(masked: string, { begin }: Span): boolean {
  return /\s/.test(masked[begin] ?? '');
}

/** Functions of Node's `assert` that compare their first two arguments. */
const comparing = /^(?:equal|strictEqual|deepEqual|deepStrictEqual)$/;

function spoilJavaScriptCode(code: string, draw: Draw): Edit | undefined {
  const masked = maskTokens(code, tokensOfJavaScript);
  const statements = splitOutside(masked, 0, /[;\n]/);
  const call = /^\s*(?:assert|require\("+\))(?:\.strict)?(?:\.(\w+))?\(/;
  const isAssertion = ({ begin, end }: Span) => {
    const named = call.exec(masked.slice(begin, end));
    return named !== null && /assert/.test(code.slice(begin, begin + named[0].length)) && !/\bimport\b/.test(named[0]);
  };
  const last = statements.findLast(isAssertion);
  const fallback = () => {
    const [one, other] = twoNumbers(draw);
    return `\n;if (${one} !== ${other}) throw new Error("${one} !== ${other}")`;
  };
  if (!last) {
    if (asserts(code, statements.at(-1))) return append(code, fallback());
    const program = spoilJavaScript(code, draw, { picksTests: false, skipsTests: false });
    return program?.further && { begin: 0, end: code.length, text: program.content };
  }
  const [whole = '', name] = call.exec(masked.slice(last.begin, last.end)) ?? [];
  const [actual, expected] = splitOutside(masked, last.begin + whole.length, /,/);
  if (actual && expected && comparing.test(name ?? ''))
    return expectOtherOf(code, masked, [actual, expected], draw, ['{ value: ', ' }']);
  if (actual && (name === undefined || name === 'ok'))
    return askForOther(code, masked, actual, draw) ?? wrap(code, masked, actual, ['!(', ')']);
  return { begin: last.end, end: last.end, text: fallback() };
}

/** Changes what is compared with: the side that is written out, or the second. */
function expectOtherOf(code: string, masked: string, sides: Span[], draw: Draw, wrapping: [string, string]): Edit {
  const [first, second] = sides as [Span, Span];
  const isLiteral = ({ begin, end }: Span) =>
    /^\s*(?:-?\d[\w.]*|[rbu]?"+|True|False|true|false)\s*$/.test(masked.slice(begin, end));
  const expected = isLiteral(first) && !isLiteral(second) ? first : second;
  return expectOther(code, masked, expected, draw, { wrapping });
}

/** Whether a statement asserts otherwise, as in a loop: code whose last statement does something else may end the interpreter honestly. */
function asserts(text: string, statement: Span | undefined): boolean {
  return statement !== undefined && /\bassert\b/.test(text.slice(statement.begin, statement.end));
}

function append(code: string, text: string): Edit {
  return { begin: code.length, end: code.length, text };
}

/** Two numbers that differ. */
function twoNumbers(draw: Draw): [number, number] {
  const one = draw(9) + 1;
  return [one, one + draw(9) + 1];
}

/** Whether what stands at a place in a command is not negated, read for its output, piped on or allowed to fail. */
function decides(command: string, { begin, end }: Span): boolean {
  const before = command.slice(command.lastIndexOf('\n', begin) + 1, begin);
  const after = command
    .slice(end)
    .replace(/\|\|\s*(?:exit(?:\s+[1-9]\d*)?(?=\s*(?:[;\n]|$))|\{[^{}|&]*\bexit\s+[1-9]\d*\s*;?\s*\})/g, '');
  return (
    !/[!`]|\$\(|\b(if|while|until)\b|\|\|/.test(before) &&
    !/^([^\n;&]|[<>]&)*\|/.test(after) &&
    !/^[^\n]*\|\|/.test(after)
  );
}
