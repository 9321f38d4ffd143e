import { expectOther, type OtherValue } from './other-value.ts';
import { applyEdits, maskTokens, type Span, splitOutside, tokensOfJavaScript } from './source-text.ts';
import { numberOfTest, type SpoiledCheck } from './spoiled-check.ts';

/** Matchers that compare with their argument, as in `expect(one).toBe(other)` and `one.should.equal(other)`. */
const matchers = /(?<!\.not)\.(?:toBe|toEqual|toStrictEqual)\(|\.(?:to|should)(?:\.be|\.deep)?\.(?:equals?|eql)\(/g;
/** Functions that compare their first two arguments. */
const functions =
  /(?<![\w$.])(?:assert(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual)|t\.(?:is|equal|strictEqual|same|deepEqual))\(/g;

interface JavaScriptTests {
  /** Only some of the tests run. */
  picksTests: boolean;
  /** Some of the tests may be left out honestly. */
  skipsTests: boolean;
}

/**
 * Lets the tests of a file fail, as tests fail: each compares with something else; one without a comparison among its own statements throws. Work that
 * answers any comparison, or with what it reads in the check, still passes then. Where there is nothing to change, or only some tests run, every assertion
 * throws, and a test is added that does.
 * @param number As for Python.
 */
export function spoilJavaScript(
  content: string,
  number: number,
  { picksTests, skipsTests }: JavaScriptTests,
): SpoiledCheck | undefined {
  const masked = maskTokens(content, tokensOfJavaScript);
  const found = findTests(content, masked);
  const expected = findExpected(masked);
  if (picksTests || (found.length === 0 && expected.length === 0)) return breakAssertions(content, number);
  const spoiled = found.map((test, index) => {
    const own = numberOfTest(number, index);
    const inTest = expected.filter(({ begin }) => isIn(test, begin));
    const isCertain = inTest.some(({ begin }) => isOwnStatement(masked.slice(test.begin, begin)));
    const thrower = isCertain ? [] : [{ begin: test.begin, end: test.begin, text: ` throw new Error('${own}');` }];
    const others = inTest.map((one) => expectSum(content, masked, one, own));
    const edits = [...thrower, ...others.map(({ edit }) => edit)];
    const marks = [...(isCertain ? [] : [String(own)]), ...others.map(({ mark }) => mark)];
    return { name: test.name, marks, edits };
  });
  const outside = expected.filter(({ begin }) => !found.some((test) => isIn(test, begin)));
  return {
    content: applyEdits(content, [
      ...spoiled.flatMap(({ edits }) => edits),
      ...outside.map((one) => expectSum(content, masked, one, number).edit),
    ]),
    tests: (skipsTests ? [] : spoiled).map(({ name, marks, edits }) => ({
      name,
      marks,
      content: applyEdits(content, edits),
    })),
  };
}

/** The bodies of tests with a title and a function of statements. */
function findTests(content: string, masked: string): Array<Span & { name: string }> {
  const tests: Array<Span & { name: string }> = [];
  for (const call of masked.matchAll(/(?<![\w$.])(?:test|it)\(/g)) {
    if (call.index < (tests.at(-1)?.end ?? 0)) continue;
    const [title, ...others] = splitOutside(masked, call.index + call[0].length, /,/);
    for (const { begin, end } of others) {
      const [head] =
        /^\s*(?:async\s+)?(?:function\s*\w*\s*\([^()]*\)|(?:\([^()]*\)|\w+)\s*=>)\s*\{/.exec(
          masked.slice(begin, end),
        ) ?? [];
      if (title && head)
        tests.push({ name: content.slice(title.begin, title.end).trim(), begin: begin + head.length, end });
    }
  }
  return tests;
}

/** What is expected in the comparisons of a file. */
function findExpected(masked: string): Span[] {
  const find = (calls: RegExp, argument: number) =>
    [...masked.matchAll(calls)].flatMap((call) => {
      const expected = splitOutside(masked, call.index + call[0].length, /,/)[argument];
      const isGiven = expected && masked.slice(expected.begin, expected.end).trim() !== '';
      return isGiven ? [expected] : [];
    });
  return [...find(matchers, 0), ...find(functions, 1)];
}

function isIn({ begin, end }: Span, place: number): boolean {
  return begin <= place && place < end;
}

/** Whether the text from the beginning of a body leads to one of its own statements, not to one in a block or a function. */
function isOwnStatement(before: string): boolean {
  const count = (character: string) => before.split(character).length;
  return count('{') === count('}') && !/(=>[^;]*|\b(if|for|while)\b.*)$/.test(before);
}

/** A sum differs from what is added to, whatever its type. */
function expectSum(content: string, masked: string, expected: Span, number: number): OtherValue {
  return expectOther(content, masked, expected, { number, wrapping: ['(', `) + ${number}`] });
}

function breakAssertions(content: string, number: number): SpoiledCheck | undefined {
  const thrower = `(() => { throw new Error('${number}'); })(`;
  const broken = content.replace(/(?<![\w$.])(expect|assert(\.\w+)*|should|t\.\w+)\(/g, thrower);
  const [, test] = /(?<![\w$.])(test|it)(\.\w+)?\(/.exec(content) ?? [];
  if (test === undefined && broken === content) return undefined;
  const added = test === undefined ? '' : `\n;${test}('${number}', () => { throw new Error('${number}'); });\n`;
  return { content: `${broken}${added}`, tests: [] };
}
