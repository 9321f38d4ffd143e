import { expectOther } from './other-value.ts';
import { applyEdits, type Edit, maskTokens, type Span, splitOutside, tokensOfPython } from './source-text.ts';
import { numberOfTest, type SpoiledCheck } from './spoiled-check.ts';

interface PythonTests {
  /** Some of the tests may be left out honestly. */
  skipsTests: boolean;
  /** The runner takes functions and classes named as tests, as pytest does, and not only test cases. */
  runsFunctions: boolean;
}

/**
 * Lets every test of a file fail, as tests fail: where one compares, it compares with something else; where none of its own statements does, it gets a
 * comparison that fails. Work that answers any comparison, or with what it reads in the check, still passes then. A file without tests fails as a program.
 * @param number Any number that no check has; it says nothing about who chose it.
 */
export function spoilPython(content: string, number: number, { skipsTests, runsFunctions }: PythonTests): SpoiledCheck {
  const masked = maskTokens(content, tokensOfPython);
  const found = findTests(masked);
  if (found.length === 0) return { content: applyEdits(content, spoilProgram(content, masked, number)), tests: [] };
  const spoiled = found.map((test, index) => {
    const own = numberOfTest(number, index);
    return { ...test, ...spoilTest(content, masked, test, own) };
  });
  const isRun = ({ name, owner }: PythonTest) =>
    (owner === 'case' || (runsFunctions && owner !== 'other')) && found.filter((one) => one.name === name).length === 1;
  return {
    content: applyEdits(
      content,
      spoiled.flatMap(({ edits }) => edits),
    ),
    tests: (skipsTests ? [] : spoiled.filter(isRun)).map(({ name, marks, edits }) => ({
      name,
      marks,
      content: applyEdits(content, edits),
    })),
  };
}

function spoilTest(content: string, masked: string, { begin, end, indent }: PythonTest, number: number): Spoiled {
  const { edits, marks, isCertain } = spoilComparisons(content, masked, { begin, end, indent }, number);
  if (isCertain) return { edits, marks };
  const comparison = { begin, end: begin, text: `${indent}${failing(number)}` };
  return { edits: [...edits, comparison], marks: [...marks, String(number)] };
}

/** Ends a Python program before the end of its text. */
const exits = /(?<![\w.])(?:sys\.exit|os\._exit|exit|quit)\s*\(|(?<!\w)SystemExit/;

/**
 * A program without tests: it fails at what it compares by itself, or at its end. One that has a main part fails before that; one that may exit before
 * its end fails after what it imports.
 */
function spoilProgram(content: string, masked: string, number: number): Edit[] {
  const whole = { begin: 0, end: content.length, indent: '' };
  const { edits, isCertain } = spoilComparisons(content, masked, whole, number);
  if (isCertain) return edits;
  const main = /^if\s+__name__\s*==/m.exec(masked)?.index;
  const place = main ?? (exits.test(masked) ? endOfImports(masked) : content.length);
  const newline = place > 0 && content[place - 1] !== '\n' ? '\n' : '';
  return [...edits, { begin: place, end: place, text: newline + failing(number) }];
}

function endOfImports(masked: string): number {
  const imports = [...masked.matchAll(/^(?:import|from)\s(?:[^(\n]|\([^)]*\))*\n/gm)];
  const last = imports.at(-1);
  return last ? last.index + last[0].length : 0;
}

interface Spoiled {
  edits: Edit[];
  marks: string[];
}

/** Lets the comparisons in a body expect something else. That is certain to fail if one of them is a statement of the body itself. */
function spoilComparisons(
  content: string,
  masked: string,
  { begin, end, indent }: Span & { indent: string },
  number: number,
): Spoiled & { isCertain: boolean } {
  const comparisons = findComparisons(masked, { begin, end });
  const others = comparisons.map(({ expected }) =>
    expectOther(content, masked, expected, { number, wrapping: ['(', `, ${number})`] }),
  );
  return {
    edits: others.map(({ edit }) => edit),
    marks: others.map(({ mark }) => mark),
    isCertain: comparisons.some((one) => one.indent === indent),
  };
}

function failing(number: number): string {
  return `assert ${number} == ${number + 1}\n`;
}

/** The body of a test function or method. */
interface PythonTest extends Span {
  name: string;
  indent: string;
  /** What it is in: a test case, the module or a class named as a test, or something else. */
  owner: 'case' | 'named' | 'other';
}

function findTests(masked: string): PythonTest[] {
  const tests: PythonTest[] = [];
  for (const signature of masked.matchAll(/^([ \t]*)(?:async\s+)?def\s+(test\w*|runTest)\s*\(/gm)) {
    const [whole, outer = '', name = ''] = signature;
    if (signature.index < (tests.at(-1)?.end ?? 0)) continue; // a function in a test
    const closing = splitOutside(masked, signature.index + whole.length, /(?!)/)[0]?.end ?? masked.length;
    const header = /^\)[^:\n]*:[ \t]*\n/.exec(masked.slice(closing));
    if (!header) continue;
    const begin = closing + header[0].length;
    const [, indent = ''] = /^(?:[ \t]*\n)*([ \t]*)/.exec(masked.slice(begin)) ?? [];
    if (indent.length <= outer.length) continue;
    const [body = ''] = new RegExp(`^(?:[ \\t]*\\n|${indent}.*(?:\\n|$))*`).exec(masked.slice(begin)) ?? [];
    const owner = outer === '' ? 'named' : ownerOf(masked.slice(0, signature.index));
    tests.push({ name, begin, end: begin + body.length, indent, owner });
  }
  return tests;
}

/** What the class is whose body a text ends in. */
function ownerOf(before: string): PythonTest['owner'] {
  const [, name = '', bases = ''] =
    /^class\s+(\w+)\s*(\([^)]*\))?:.*\n(?:(?:[ \t#)].*)?\n)*(?![\s\S])/m.exec(before) ?? [];
  if (/TestCase\b/.test(bases)) return 'case';
  return name.startsWith('Test') ? 'named' : 'other';
}

const comparison =
  /^([ \t]*)(assert\s|self\.assert(?:Equals?|ListEqual|DictEqual|TupleEqual|SetEqual|SequenceEqual|MultiLineEqual|AlmostEqual|CountEqual)\()/gm;

/** What is expected in the comparisons of a test, with how far their statements are indented. */
function findComparisons(masked: string, { begin, end }: Span): Array<{ expected: Span; indent: string }> {
  return [...masked.slice(begin, end).matchAll(comparison)].flatMap((statement) => {
    const [whole, indent = '', start = ''] = statement;
    const from = begin + statement.index + whole.length;
    const expected = start.startsWith('self.') ? splitOutside(masked, from, /,/)[1] : rightSide(masked, from);
    return expected && masked.slice(expected.begin, expected.end).trim() ? [{ expected, indent }] : [];
  });
}

/** The right side of an assertion that does nothing but compare two values. */
function rightSide(masked: string, from: number): Span | undefined {
  const [condition] = splitOutside(masked, from, /,/, /(?<!\\)\n/);
  const within = masked.slice(0, condition?.end);
  const others = splitOutside(within, from, /(?<!\w)(?:and|or|not|if|in|is|lambda)(?!\w)|[<>!]=?/);
  const sides = splitOutside(within, from, /==/);
  return sides.length === 2 && others.length === 1 ? sides[1] : undefined;
}
