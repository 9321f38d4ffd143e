import { type Draw, inAnyOrder } from '../draw.ts';
import { applyEach, applyEdits, type Edit, maskTokens, tokensOfPython } from '../source-text.ts';
import { fewTests, maxAlone, type SpoiledCheck } from '../spoiled-check.ts';
import type { PythonSource } from './other-python-value.ts';
import { findAssertions } from './python-assertions.ts';
import { insertFailing, spoilProgram } from './python-program.ts';
import { findTests, type PythonTest } from './python-tests.ts';
import { surelyRuns, surelyRunsAny } from './surely-runs.ts';

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
  const source = { content, masked: maskTokens(content, tokensOfPython), picksTests };
  const found = findTests(source.masked);
  if (found.length === 0) {
    const [spoiled, ...further] = applyEach(content, spoilProgram(source, draw, maxAlone));
    return { content: spoiled, tests: [], further };
  }
  const places = found.length <= fewTests ? maxAlone : 1;
  const spoiled = found.map((test) => ({ ...test, edits: spoilTest(source, test, draw, places) }));
  const isRun = ({ name, owner, kind }: PythonTest) =>
    (kind === 'case' || (runsFunctions && kind !== 'other')) &&
    found.filter((one) => one.name === name && one.owner === owner).length === 1;
  const mayBeLeftOut = picksTests || skipsTests.test(source.masked);
  return {
    content: applyEdits(content, withoutOverlaps(spoiled.map(({ edits: [first] }) => first))),
    tests: (mayBeLeftOut ? [] : spoiled.filter(isRun)).map(({ name, edits }) => ({
      name,
      contents: applyEach(content, edits),
    })),
  };
}

/** Up to so many places in which a test fails, each alone. */
function spoilTest(source: PythonSource, test: PythonTest, draw: Draw, places: number): [Edit, ...Edit[]] {
  const own = findAssertions(source, test, draw);
  const found = inAnyOrder(own.length ? own : findInHelpers(source, test, draw), draw);
  const [first, ...further] = found.slice(0, places);
  return [first ?? addFailing(source, test, draw), ...further];
}

/** An assertion that fails after all that a test does, so that work which ends the process does not reach it; before that, if the test may leave earlier. */
function addFailing({ content, masked }: PythonSource, test: PythonTest, draw: Draw): Edit {
  const isCase = test.kind === 'case';
  const isOnLines = content[test.begin - 1] === '\n' && content[test.end - 1] === '\n';
  const isReached = isOnLines && surelyRuns(masked, test, test.end, test.indent);
  const body = masked.slice(test.begin, test.end);
  const end = masked.indexOf('\n', test.begin + body.trimEnd().length) + 1;
  const mayYield = /(?<!\w)yield(?!\w)/.test(body);
  return insertFailing(isReached && !mayYield ? end : test.begin, test.indent, isCase, draw);
}

/** Assertions of the functions that a test surely calls, if they are in the same file. */
function findInHelpers(source: PythonSource, test: PythonTest, draw: Draw): Edit[] {
  const called = findTests(source.masked, /(?!test)\w+/).filter(({ name }) => isCalled(source.masked, test, name));
  return called.flatMap((helper) => findAssertions(source, helper, draw, [test]));
}

function isCalled(masked: string, test: PythonTest, name: string): boolean {
  const call = new RegExp(
    `^([ \\t]*)(?!.*(?<!\\w)(?:def|lambda|if|elif|while|and|or|for)(?!\\w)).*(?<!\\w)${name}\\(`,
    'gm',
  );
  return surelyRunsAny(masked, test, call);
}

/** Tests that call the same helper may be spoiled by the same assertion. */
function withoutOverlaps(edits: Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of edits) if (kept.every(({ begin, end }) => end < edit.begin || edit.end < begin)) kept.push(edit);
  return kept;
}
