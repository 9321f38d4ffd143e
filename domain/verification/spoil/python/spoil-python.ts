import type { Draw } from '../draw.ts';
import { applyEdits, type Edit, maskTokens, tokensOfPython } from '../source-text.ts';
import type { SpoiledCheck } from '../spoiled-check.ts';
import { findAssertions, type PythonBody } from './python-assertions.ts';
import { findTests, type PythonTest } from './python-tests.ts';

interface PythonTests {
  /** The command picks some of the tests. */
  picksTests: boolean;
  /** The runner takes functions and classes named as tests, as pytest does, and not only test cases. */
  runsFunctions: boolean;
}

/** Some of the tests may not run. */
const skipsTests = /skip|xfail|expectedFailure|load_tests|__test__|\bmark\.(?!parametrize\b)/i;

/**
 * Lets every test of a file fail by one of its own assertions, drawn among those that surely run: it expects another value, or the opposite. So work that
 * keeps assertions from failing passes still. A file without tests fails as a program.
 */
export function spoilPython(content: string, draw: Draw, { picksTests, runsFunctions }: PythonTests): SpoiledCheck {
  const source = { content, masked: maskTokens(content, tokensOfPython) };
  const found = findTests(source.masked);
  if (found.length === 0) return { content: applyEdits(content, [spoilProgram(source, draw)]), tests: [] };
  const spoiled = found.map((test) => ({ ...test, edit: spoilTest(source, test, draw) }));
  const isRun = ({ name, owner, kind }: PythonTest) =>
    (kind === 'case' || (runsFunctions && kind !== 'other')) &&
    found.filter((one) => one.name === name && one.owner === owner).length === 1;
  const mayBeLeftOut = picksTests || skipsTests.test(source.masked);
  return {
    content: applyEdits(content, withoutOverlaps(spoiled.map(({ edit }) => edit))),
    tests: (mayBeLeftOut ? [] : spoiled.filter(isRun)).map(({ name, edit }) => ({
      name,
      content: applyEdits(content, [edit]),
    })),
  };
}

interface Source {
  content: string;
  masked: string;
}

function spoilTest(source: Source, test: PythonTest, draw: Draw): Edit {
  const own = findAssertions(source, test, draw);
  const candidates = own.length ? own : findInHelpers(source, test, draw);
  return drawOne(candidates, draw) ?? insertFailing(test.begin, test.indent, test.kind === 'case', draw);
}

/** Assertions of the functions that a test calls, if they are in the same file. */
function findInHelpers(source: Source, test: PythonTest, draw: Draw): Edit[] {
  const body = source.masked.slice(test.begin, test.end);
  const called = findTests(source.masked, /(?!test)\w+/).filter(({ name }) =>
    new RegExp(`(?<!\\w)${name}\\(`).test(body),
  );
  return called.flatMap((helper) => findAssertions(source, helper, draw));
}

/**
 * A program without tests fails by an assertion of its own statements or of its main function, else by one that is added: before its main part, or after
 * what it imports, if it may exit before its end.
 */
function spoilProgram(source: Source, draw: Draw): Edit {
  const { content, masked } = source;
  const whole: PythonBody = { begin: 0, end: content.length, indent: '' };
  const main = /^if\s+__name__\s*==/m.exec(masked);
  const bodies = [whole, ...(main ? findTests(masked, /main/) : [])];
  const own = bodies.flatMap((body) => findAssertions(source, body, draw));
  const place = main?.index ?? (exits.test(masked) ? endOfImports(masked) : content.length);
  return drawOne(own, draw) ?? insertFailing(place, place > 0 && content[place - 1] !== '\n' ? '\n' : '', false, draw);
}

/** Ends a Python program before the end of its text. */
const exits = /(?<![\w.])(?:sys\.exit|os\._exit|exit|quit)\s*\(|(?<!\w)SystemExit/;

function endOfImports(masked: string): number {
  const imports = [...masked.matchAll(/^(?:import|from)\s(?:[^(\n]|\([^)]*\))*\n/gm)];
  const last = imports.at(-1);
  return last ? last.index + last[0].length : 0;
}

function insertFailing(place: number, indent: string, isCase: boolean, draw: Draw): Edit {
  const number = 2 + draw(7);
  const text = isCase ? `self.assertEqual(${number}, ${number + 1})` : `assert ${number} == ${number + 1}`;
  return { begin: place, end: place, text: `${indent}${text}\n` };
}

function drawOne(edits: Edit[], draw: Draw): Edit | undefined {
  return edits[draw(Math.max(1, edits.length))];
}

/** Tests that call the same helper may be spoiled by the same assertion. */
function withoutOverlaps(edits: Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of edits) if (kept.every(({ begin, end }) => end < edit.begin || edit.end < begin)) kept.push(edit);
  return kept;
}
