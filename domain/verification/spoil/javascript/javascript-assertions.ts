import type { Draw } from '../draw.ts';
import { expectOther, hasLiteral } from '../other-value.ts';
import { type Edit, type Span, wrap } from '../source-text.ts';
import { drawWords } from './draw-words.ts';
import { readCall } from './javascript-code.ts';
import { askForOther, otherFound } from './javascript-truths.ts';

export interface Assertion {
  begin: number;
  /** It fails by a promise. */
  isAsync: boolean;
  /** What it compares with one another. */
  compares?: [Span, Span];
  /** The change with which it fails if it passes without. */
  spoil(draw: Draw): Edit;
}

/** Makes another value of any; no comparison takes it for the same. */
export const wrapping: [string, string] = [
  `((v) => typeof v === 'boolean' ? !v : typeof v === 'number' ? (Number.isNaN(v) || v + 3 === v ? 0 : v + 3) : typeof v === 'bigint' ? v + BigInt(3) : typeof v === 'string' ? (/[^\\d\\s]$/.test(v) ? v + v.at(-1) : '1' + v) : Array.isArray(v) || (ArrayBuffer.isView(v) && 'slice' in v) ? (v.length && v.at(-1) !== undefined ? v.slice(0, -1) : [...v, 0]) : v instanceof Map || v instanceof Set ? new v.constructor(v.size ? [...v].slice(0, -1) : [[0, 0]]) : v instanceof Date ? new Date(Number.isNaN(+v) ? 0 : +v + 864e5) : v instanceof Error ? new Error(v.message + '.') : v && typeof v === 'object' ? ((k) => Object.setPrototypeOf(k === undefined ? { ...v, a: 0 } : Object.fromEntries(Object.entries(v).filter(([n]) => n !== k)), Object.getPrototypeOf(v)))(Object.keys(v).find((n) => v[n] !== undefined)) : 0)(`,
  ')',
];

const equalMatchers = /^(?:toBe|toEqual|toStrictEqual|equals?|eql?|eqls)$/;
const numberMatchers = /^(?:toHaveLength|toBeCloseTo)$/;
const findMatchers = /^(?:toContain|toMatch|includes?|contains?|match)$/;
const throwMatchers = /^(?:toThrow|toThrowError|[tT]hrows?)$/;
const asyncMatchers = /^(?:resolves|rejects|eventually|become|fulfilled|rejected(?:With)?)$/;
const opposites: Record<string, string> = {
  toBeTruthy: 'toBeFalsy',
  toBeFalsy: 'toBeTruthy',
  true: 'false',
  false: 'true',
};
const subjects = /(?<![\w$.])(?:expect\(|\w+(?:\.\w+|\([^()\n]*\))*?\.should\b)/g;

/** Assertions as `expect(one).toBe(other)`, `expect(one).to.equal(other)` and `one.should.equal(other)`. */
export function findExpectations(content: string, masked: string): Assertion[] {
  return [...masked.matchAll(subjects)].flatMap(({ 0: subject, index }) => {
    const from = index + subject.length;
    const begin = subject.endsWith('(') ? readCall(masked, from).end + 1 : from;
    const [whole = '', chain = '', bracket] = /^((?:\s*\.\s*\w+)+)(\()?/.exec(masked.slice(begin)) ?? [];
    const words = [...chain.matchAll(/\s*\.\s*(\w+)/g)].map(({ 0: text, 1: word = '', index: place }) => ({
      word,
      begin: begin + place,
      end: begin + place + text.length,
    }));
    const last = words.at(-1);
    const call = bracket ? readCall(masked, begin + whole.length) : undefined;
    const end = call ? call.end + 1 : begin + whole.length;
    const isUnknown = !last || /Snapshot|^(?:be|to|have)$/.test(last.word) || (!call && /^to[A-Z]/.test(last.word));
    if (isUnknown || /^\s*[.([]/.test(masked.slice(end)) || spreads(masked, call?.args)) return [];
    const isAsync = words.some(({ word }) => asyncMatchers.test(word));
    const [actual] = subject.endsWith('(') ? readCall(masked, from).args : [];
    const isPlain = words.length === 1 && equalMatchers.test(last.word) && call?.args.length === 1;
    const compares: [Span, Span] | undefined = isPlain && actual && call.args[0] ? [actual, call.args[0]] : undefined;
    return [
      {
        begin: index,
        isAsync,
        ...(compares && { compares }),
        spoil: (draw) => spoilMatcher(content, masked, words, call, draw),
      },
    ];
  });
}

type Word = Span & { word: string };
type Call = ReturnType<typeof readCall>;

function spoilMatcher(content: string, masked: string, words: Word[], call: Call | undefined, draw: Draw): Edit {
  const [first, last] = [words[0], words.at(-1)] as [Word, Word];
  const negation = words.find(({ word }) => word === 'not');
  if (negation) return { ...negation, text: '' };
  const [expected, precision] = call?.args ?? [];
  if (expected && comparesWith(content, masked, last.word, expected, precision))
    return expectOther(content, masked, expected, draw, { wrapping });
  if (call && throwMatchers.test(last.word)) {
    const found = expected && call.args.length === 1 ? otherFound(content, expected, draw) : undefined;
    return found ?? { begin: last.end + 1, end: call.end, text: `'${drawWords(draw)}'` };
  }
  const searched = expected && findMatchers.test(last.word) && call?.args.length === 1;
  const found = searched ? otherFound(content, expected, draw) : undefined;
  if (found) return found;
  const opposite = opposites[last.word];
  if (opposite) return { begin: last.end - last.word.length, end: last.end, text: opposite };
  const place = /^to[A-Z]/.test(last.word) ? last.begin : first.begin;
  return { begin: place, end: place, text: '.not' };
}

/** Whether a matcher fails for certain with any other value. */
function comparesWith(content: string, masked: string, matcher: string, expected: Span, precision?: Span): boolean {
  const text = masked.slice(expected.begin, expected.end);
  if (equalMatchers.test(matcher)) return !/\bexpect\s*\./.test(text);
  const isPrecise = !precision || /^\d+$/.test(masked.slice(precision.begin, precision.end));
  return numberMatchers.test(matcher) && isPrecise && !text.includes('"') && hasLiteral(content, masked, expected);
}

const functionCalls =
  /(?<![\w$.])(?:(?:t\.)?assert(?:\.strict)?(?:\.(\w+))?|t\.(\w+)|(strictEqual|deepEqual|deepStrictEqual))\(/g;
const equalFunctions = /^(?:equal|strictEqual|deepEqual|deepStrictEqual)$/;
const equalFunctionsOfT = /^(?:is|equal|strictEqual|same|deepEqual)$/;
const pairs = [
  ['equal', 'notEqual'],
  ['strictEqual', 'notStrictEqual'],
  ['deepEqual', 'notDeepEqual'],
  ['deepStrictEqual', 'notDeepStrictEqual'],
  ['throws', 'doesNotThrow'],
  ['rejects', 'doesNotReject'],
  ['isTrue', 'isFalse'],
  ['true', 'false'],
  ['truthy', 'falsy'],
];
const otherFunctions = new Map(
  pairs.flatMap(([one = '', other = '']) => [[one, other] as const, [other, one] as const]),
);

/** Assertions as `assert.equal(one, other)`, `assert(one)` and `t.is(one, other)`. */
export function findAssertCalls(content: string, masked: string): Assertion[] {
  return [...masked.matchAll(functionCalls)].flatMap(({ 0: start, 1: ofAssert, 2: ofT, 3: plain, index }) => {
    const name = ofAssert ?? ofT ?? plain ?? 'ok';
    const from = index + start.length;
    const call = readCall(masked, from);
    const [first, second] = call.args;
    const isEqual = (ofT ? equalFunctionsOfT : equalFunctions).test(name);
    if (!first || spreads(masked, call.args) || /^\s*[.([{]/.test(masked.slice(call.end + 1))) return [];
    const rename = (other: string) => () => ({ begin: from - 1 - name.length, end: from - 1, text: other });
    const found = (spoil: Assertion['spoil']) => [{ begin: index, isAsync: /[rR]eject/.test(name), spoil }];
    if (isEqual && second) {
      const isSwapped = hasLiteral(content, masked, first) && !hasLiteral(content, masked, second);
      const [assertion] = found((draw) => expectOther(content, masked, isSwapped ? first : second, draw, { wrapping }));
      return assertion ? [{ ...assertion, compares: [first, second] }] : [];
    }
    // Of a list or a set, it compares a part, which may have the other value as well.
    if (name === 'partialDeepStrictEqual' && second && !/[[(]/.test(masked.slice(second.begin, second.end)))
      return hasLiteral(content, masked, second)
        ? found((draw) => expectOther(content, masked, second, draw, { wrapping }))
        : [];
    if (name === 'ok')
      return found((draw) => askForOther(content, masked, first, draw) ?? wrap(content, masked, first, ['!(', ')']));
    if (!ofT && /^(?:throws|rejects)$/.test(name)) return found((draw) => expectMessage(content, masked, call, draw));
    if (name === 'match' && second && !ofT && otherFound(content, second, () => 0))
      return found((draw) => otherFound(content, second, draw) ?? rename('doesNotMatch')());
    if (/^(?:match|doesNotMatch)$/.test(name))
      return ofT || /["']chai["']/.test(content) ? [] : found(rename(name === 'match' ? 'doesNotMatch' : 'match'));
    const other = otherFunctions.get(name);
    return other && (ofT ? /^(?:true|false|truthy|falsy)$/ : /^(?:not|doesNot|is)[A-Z]/).test(name)
      ? found(rename(other))
      : [];
  });
}

const errors = ['TypeError', 'RangeError', 'SyntaxError', 'URIError'];
/** Errors that none of these is a kind of. */
const otherErrors = Object.fromEntries(errors.map((one) => [one, errors.filter((other) => other !== one)]));

/** Lets a function fail with another error, or message: the one that is given with another letter, if there is one. */
function expectMessage(content: string, masked: string, { args: [thrower, error] }: Call, draw: Draw): Edit {
  const message = `{ message: '${drawWords(draw)}' }`;
  const place = thrower?.end ?? 0;
  if (!error) return { begin: place, end: place, text: `, ${message}` };
  const kind = otherErrors[content.slice(error.begin, error.end)];
  if (kind) return { ...error, text: kind[draw(kind.length)] ?? '' };
  const given = /^\{\s*message:\s*(?="+\s*,?\s*\}$)/.exec(masked.slice(error.begin, error.end));
  if (given) {
    const quotes = /"+/.exec(masked.slice(error.begin + given[0].length));
    const begin = error.begin + given[0].length;
    return expectOther(content, masked, { begin, end: begin + (quotes?.[0].length ?? 0) }, draw, { wrapping });
  }
  // A text would only say what is wrong.
  const found = content[error.begin] === '/' ? otherFound(content, error, draw) : undefined;
  return found ?? { ...error, text: message };
}

function spreads(masked: string, args: Span[] = []): boolean {
  return args.some(({ begin }) => masked.startsWith('...', begin));
}
