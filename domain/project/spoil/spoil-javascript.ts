import { applyEdits, maskTokens, splitOutside, tokensOfJavaScript, wrap } from './source-text.ts';

/** Matchers that compare with their argument, as in `expect(one).toBe(other)` and `one.should.equal(other)`. */
const matchers = /(?<!\.not)\.(?:toBe|toEqual|toStrictEqual)\(|\.(?:to|should)(?:\.be|\.deep)?\.(?:equals?|eql)\(/g;
/** Functions that compare their first two arguments. */
const functions =
  /(?<![\w$.])(?:assert(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual)|t\.(?:is|equal|strictEqual|same|deepEqual))\(/g;

/**
 * Lets the tests of a file fail, as tests fail: each compares with something else, since a sum differs from what is added to, whatever its type. Work that
 * answers any comparison, or with what it reads in the check, still passes then. Where there is nothing to change, or `picksTests` says that only some tests
 * run, every assertion throws, and a test is added that does.
 * @param number As for Python.
 */
export function spoilJavaScript(content: string, number: number, picksTests: boolean): string | undefined {
  const changed = picksTests ? content : changeComparisons(content, number);
  return changed === content ? breakAssertions(content, number) : changed;
}

function changeComparisons(content: string, number: number): string {
  const masked = maskTokens(content, tokensOfJavaScript);
  const find = (calls: RegExp, argument: number) =>
    [...masked.matchAll(calls)].flatMap((call) => {
      const expected = splitOutside(masked, call.index + call[0].length, /,/)[argument];
      const isGiven = expected && masked.slice(expected.begin, expected.end).trim() !== '';
      return isGiven ? [wrap(content, masked, expected, ['(', `) + ${number}`])] : [];
    });
  return applyEdits(content, [...find(matchers, 0), ...find(functions, 1)]);
}

function breakAssertions(content: string, number: number): string | undefined {
  const thrower = `(() => { throw new Error('${number}'); })(`;
  const broken = content.replace(/(?<![\w$.])(expect|assert(\.\w+)*|should|t\.\w+)\(/g, thrower);
  const [, test] = /(?<![\w$.])(test|it)(\.\w+)?\(/.exec(content) ?? [];
  if (test === undefined && broken === content) return undefined;
  const added = test === undefined ? '' : `\n;${test}('${number}', () => { throw new Error('${number}'); });\n`;
  return `${broken}${added}`;
}
