import type { Draw } from './draw.ts';
import { expectOther } from './other-value.ts';
import { applyEdits, type Edit, type Span, splitOutside, tokensOfJavaScript, wrap } from './source-text.ts';
import type { SpoiledCheck } from './spoiled-check.ts';

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
  const code = { content, masked, functions, assertions };
  if (picksTests) return spoilAll(code, tests, draw);
  if (tests.length === 0) {
    const program = { ...code, assertions: [...assertions, ...findConditions(content, masked)] };
    const edit = spoilOne(program, { begin: 0, end: content.length, isAsync: false, isExpression: false }, draw);
    return edit ? { content: applyEdits(content, [edit]), tests: [] } : spoilAll(program, [], draw);
  }
  const spoiled = tests.map(({ name, isConditional, ...test }) => ({
    name,
    isConditional,
    edit: spoilOne(code, test, draw) ?? addFailing(code, test, draw),
  }));
  return {
    content: applyApart(
      content,
      spoiled.map(({ edit }) => edit),
    ),
    tests: spoiled
      .filter(({ isConditional }) => !isConditional && !skipsTests)
      .map(({ name, edit }) => ({ name, content: applyEdits(content, [edit]) })),
  };
}

interface Code {
  content: string;
  /** The content without what strings, regular expressions and comments say. */
  masked: string;
  functions: Array<Body & { name: string }>;
  assertions: Assertion[];
}

interface Assertion {
  begin: number;
  /** It fails by a promise. */
  isAsync: boolean;
  /** The change with which it fails if it passes without. */
  spoil(draw: Draw): Edit;
}

/** The body of a function. */
interface Body extends Span {
  isAsync: boolean;
  isExpression: boolean;
}

const nestedTemplate = /`(?:\\[\s\S]|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|(?!\$\{)[^`\\])*`/;
/** A slash after an operator or an opening bracket begins a regular expression. */
const regularExpression =
  /(?<=(?:[=(,:;!&|?{[]|=>|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/;
const tokens = new RegExp(`(${nestedTemplate.source})|${tokensOfJavaScript.source}|(${regularExpression.source})`, 'g');

/** The same text, of the same length, without what strings, regular expressions and comments say, and without commas between arguments of types. */
function mask(content: string): string {
  const masked = content.replace(tokens, (token, template?: string, string?: string, expression?: string) =>
    ((template ?? string) !== undefined ? '"' : expression !== undefined ? '/' : ' ').repeat(token.length),
  );
  return masked.replace(/<[\w\s,.|&[\]<>"]*>(?=\(|\s*[),;\]])/g, (types) => types.replaceAll(',', ' '));
}

function startsWithWord(masked: string, place: number, word: string): boolean {
  return masked.startsWith(word, place) && !/[\w$]/.test(masked[place + word.length] ?? '');
}

const parameters = String.raw`\((?:[^()]|\([^()]*\))*\)`;
const type = '(?::[^={}();]*)?';
const head = new RegExp(
  String.raw`^\s*(async\s+)?(?:function\b[\s\w$]*${parameters}\s*${type}(?=\{)|(?:${parameters}\s*${type}|[\w$]+\s*)=>)\s*(\{)?`,
);

/** The body of the function that a text begins with at a place. */
function bodyAt(masked: string, place: number): Body | undefined {
  const [whole, async, brace] = head.exec(masked.slice(place)) ?? [];
  if (whole === undefined) return undefined;
  const begin = place + whole.length;
  const end = splitOutside(masked, begin, brace ? /(?!)/ : /[,;]/)[0]?.end ?? masked.length;
  return { begin, end, isAsync: async !== undefined, isExpression: brace === undefined };
}

function findFunctions(masked: string): Array<Body & { name: string }> {
  const names = /(?<![\w$.])(?:(?:const|let|var)\s+(\w+)\s*=(?!=)|(?:async\s+)?function\s+(\w+))/g;
  return [...masked.matchAll(names)].flatMap(({ 0: whole, 1: variable, 2: name = variable ?? '', index }) => {
    const body = bodyAt(masked, variable ? index + whole.length : index);
    return body ? [{ name, ...body }] : [];
  });
}

const testCalls = /(?<![\w$.])[xf]?(?:test|it)(?:\.(?:concurrent|only|serial|skip))*(\.each(?:<[^()]*>)?)?("*)\(/g;

interface Test extends Body {
  name: string;
  /** It may not run. */
  isConditional: boolean;
}

/** The tests with a title and a function. */
function findTests(content: string, masked: string, functions: Code['functions']): Test[] {
  let endOfLast = 0;
  return [...masked.matchAll(testCalls)].flatMap((call) => {
    if (call.index < endOfLast) return []; // in a test
    const [whole, each, table] = call;
    const place = call.index + whole.length;
    const { args, end } = readCall(
      masked,
      each && !table ? masked.indexOf('(', readCall(masked, place).end) + 1 : place,
    );
    const [title, ...others] = args;
    const bodies = others.map(
      (one) => bodyAt(masked, one.begin) ?? functions.find(({ name }) => name === masked.slice(one.begin, one.end)),
    );
    const body = bodies.find((one) => one !== undefined);
    if (!title || !body) return [];
    endOfLast = end;
    const isConditional = conditions.test(collapse(masked.slice(0, call.index)));
    return [{ ...body, name: content.slice(title.begin, title.end), isConditional }];
  });
}

/** What a collapsed text has before something that may not run. */
const conditions =
  /\b(?:if\s*@|else|switch\s*@|catch\s*@?|while\s*@)\s*(?:\{|$)|\b(?:return|process\s*\.\s*exit)\b|[?:&|]\s*$/;

/** The arguments of a call, and where its bracket closes. */
function readCall(masked: string, begin: number): { args: Span[]; end: number } {
  const parts = splitOutside(masked, begin, /,/);
  const args = parts.map((part) => wrap(masked, masked, part, ['', ''])).filter(({ text }) => text !== '');
  return { args, end: parts.at(-1)?.end ?? begin };
}

/** One certain assertion of a body expects something else, or of a function that it certainly calls. */
function spoilOne(code: Code, body: Body, draw: Draw, callers: Body[] = []): Edit | undefined {
  const own = code.assertions.filter(({ begin }) => body.begin <= begin && begin < body.end);
  while (own.length) {
    const [one] = own.splice(draw(own.length), 1);
    if (one && isCertain(code.masked, body, one, callers.length === 0)) return one.spoil(draw);
  }
  const called = code.functions.filter((one) => ![body, ...callers].includes(one) && calls(code.masked, body, one));
  for (const one of called) {
    const edit = spoilOne(code, one, draw, [...callers, body]);
    if (edit) return edit;
  }
  return undefined;
}

function calls(masked: string, body: Body, { name, isAsync }: Code['functions'][number]): boolean {
  const found = masked.slice(body.begin, body.end).matchAll(new RegExp(`(?<![\\w$.])${name}\\s*\\(`, 'g'));
  return [...found].some(({ index }) => isCertain(masked, body, { begin: body.begin + index, isAsync }, true));
}

/** The beginnings of loops, of which it is taken that they go round. */
const loops = /\bfor\s*(?:await\s*)?@\s*\{|\.forEach\(\s*(?:function\b[\s\w$]*@\s*\{|(?:@|[\w$]+)\s*=>\s*\{?)/g;
const exits = /\b(?:return|break|continue|process\s*\.\s*exit)\b/;

/** Whether what begins at a place is a statement that runs whenever the body does, and that lets it fail. */
function isCertain(
  masked: string,
  body: Body,
  { begin, isAsync }: Omit<Assertion, 'spoil'>,
  mayReturn: boolean,
): boolean {
  const collapsed = collapse(masked.slice(body.begin, begin));
  const open = collapsed.replace(loops, ';');
  const [lead = ''] = /(?:\b(?:return|await)\s+)*$/.exec(open) ?? [];
  const earlier = open.slice(0, open.length - lead.length);
  if (/[({[]/.test(earlier) || exits.test(earlier) || !endsStatement(earlier)) return false;
  const isReturned = open === collapsed && (lead.includes('return') || (body.isExpression && earlier.trim() === ''));
  return !isAsync || lead.includes('await') || (mayReturn && isReturned);
}

const blocks =
  /(=>\s*|\bfunction\b[\s\w$]*@[^;@#]*?|\b(?!(?:if|for|while|switch|catch|with)\b)[\w$]+\s*@\s*)?(\b(?:for|while|switch)\s*@\s*)?\{([^()[\]{}]*)\}/g;

/** A masked text with a sign in place of each closed pair of brackets; of what they enclose, only what may end the function or the loop around stays. */
function collapse(text: string): string {
  const collapsed = text
    .replace(/\([^()[\]{}]*\)/g, '@')
    .replace(/\[[^()[\]{}]*\]/g, '_')
    .replace(blocks, (_, ofFunction: string | undefined, ofLoop: string | undefined, inside: string) => {
      const [exit] = (ofLoop ? /\breturn\b|\bprocess\s*\.\s*exit\b/ : exits).exec(inside) ?? [];
      return `${ofFunction ?? ''}${ofLoop ?? ''}${exit && !ofFunction ? ` ${exit};` : ''}#`;
    });
  return collapsed === text ? text : collapse(collapsed);
}

/** Whether a new statement can follow a collapsed text, and runs if the text does. */
function endsStatement(text: string): boolean {
  const end = text.trimEnd();
  if (end === '' || /[;#]$|\bfor\s*@$/.test(end)) return true;
  const continues = /(?:[=(,?:&|+\-*/%<>!.]|\b(?:else|do|in|of|new|typeof|return|await)|\b(?:if|while|with)\s*@)$/;
  return text.slice(end.length).includes('\n') && !continues.test(end);
}

/** Makes another value of any; no comparison takes it for the same. */
const wrapping: [string, string] = [
  `((v) => typeof v === 'boolean' ? !v : typeof v === 'number' ? (Number.isNaN(v) || v + 3 === v ? 0 : v + 3) : typeof v === 'bigint' ? v + BigInt(3) : typeof v === 'string' ? (/[^\\d\\s]$/.test(v) ? v + v.at(-1) : '1' + v) : Array.isArray(v) || (ArrayBuffer.isView(v) && 'slice' in v) ? (v.length && v.at(-1) !== undefined ? v.slice(0, -1) : [...v, 0]) : v instanceof Map || v instanceof Set ? new v.constructor(v.size ? [...v].slice(0, -1) : [[0, 0]]) : v instanceof Date ? new Date(Number.isNaN(+v) ? 0 : +v + 864e5) : v instanceof Error ? new Error(v.message + '.') : v && typeof v === 'object' ? ((k) => Object.setPrototypeOf(k === undefined ? { ...v, a: 0 } : Object.fromEntries(Object.entries(v).filter(([n]) => n !== k)), Object.getPrototypeOf(v)))(Object.keys(v).find((n) => v[n] !== undefined)) : 0)(`,
  ')',
];

function isWrittenOut(content: string, masked: string, span: Span): boolean {
  const { text } = expectOther(content, masked, span, () => 0, { wrapping: ['not ', ''] });
  return !text.startsWith('not ');
}

const equalMatchers = /^(?:toBe|toEqual|toStrictEqual|equals?|eql?|eqls)$/;
const numberMatchers = /^(?:toHaveLength|toBeCloseTo)$/;
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
function findExpectations(content: string, masked: string): Assertion[] {
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
    return [{ begin: index, isAsync, spoil: (draw) => spoilMatcher(content, masked, words, call, draw) }];
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
  if (call && throwMatchers.test(last.word))
    return { begin: last.end + 1, end: call.end, text: `'${drawWords(draw)}'` };
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
  return numberMatchers.test(matcher) && isPrecise && !text.includes('"') && isWrittenOut(content, masked, expected);
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
function findAssertCalls(content: string, masked: string): Assertion[] {
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
      const isSwapped = isWrittenOut(content, masked, first) && !isWrittenOut(content, masked, second);
      return found((draw) => expectOther(content, masked, isSwapped ? first : second, draw, { wrapping }));
    }
    if (name === 'ok') return found(() => wrap(content, masked, first, ['!(', ')']));
    if (!ofT && /^(?:throws|rejects)$/.test(name)) return found((draw) => expectMessage(call, draw));
    if (/^(?:match|doesNotMatch)$/.test(name))
      return ofT || /["']chai["']/.test(content) ? [] : found(rename(name === 'match' ? 'doesNotMatch' : 'match'));
    const other = otherFunctions.get(name);
    return other && (ofT ? /^(?:true|false|truthy|falsy)$/ : /^(?:not|doesNot|is)[A-Z]/).test(name)
      ? found(rename(other))
      : [];
  });
}

function expectMessage({ args: [thrower, error] }: Call, draw: Draw): Edit {
  const message = `{ message: '${drawWords(draw)}' }`;
  if (error) return { ...error, text: message };
  const place = thrower?.end ?? 0;
  return { begin: place, end: place, text: `, ${message}` };
}

function spreads(masked: string, args: Span[] = []): boolean {
  return args.some(({ begin }) => masked.startsWith('...', begin));
}

const failures = /^\)\s*(?:\{[^{}]*)?(?:\bthrow\b|\bprocess\.exit\(\s*[1-9]|\bprocess\.exitCode\s*=\s*[1-9])/;

/** Conditions under which a program fails. */
function findConditions(content: string, masked: string): Assertion[] {
  return [...masked.matchAll(/(?<![\w$.])if\s*\(/g)].flatMap(({ 0: start, index: begin }) => {
    const condition = { begin: begin + start.length, end: readCall(masked, begin + start.length).end };
    if (!failures.test(masked.slice(condition.end))) return [];
    return [{ begin, isAsync: false, spoil: (draw) => turnRound(content, masked, condition, draw) }];
  });
}

const turned: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

/** Lets a condition that does not hold do so: one of its alternatives is turned round. */
function turnRound(content: string, masked: string, condition: Span, draw: Draw): Edit {
  const within = masked.slice(0, condition.end);
  const alternatives = splitOutside(within, condition.begin, /\|\|/);
  const { begin, end } = alternatives[draw(alternatives.length)] ?? condition;
  const inside = within.slice(0, end);
  const [left, right, ...further] = splitOutside(inside, begin, /[=!]==?|[<>]=?/);
  const isSimple = splitOutside(inside, begin, /&&|\?|=>|\bin\b|\binstanceof\b/).length === 1 && !further.length;
  const operator = left && right ? turned[masked.slice(left.end, right.begin)] : undefined;
  if (isSimple && left && right && operator) return { begin: left.end, end: right.begin, text: operator };
  const negation = /^\s*!(?=[\w$.]+(?:\([^()]*\))?\s*$)/.exec(inside.slice(begin));
  if (negation) return { begin: begin + negation[0].length - 1, end: begin + negation[0].length, text: '' };
  return wrap(content, masked, { begin, end }, ['!(', ')']);
}

/** All assertions of a file expect something else, wherever they are. Tests without a certain one fail as well, and a test that fails is added. */
function spoilAll(code: Code, tests: Body[], draw: Draw): SpoiledCheck | undefined {
  const others = tests.filter((test) => !spoilOne(code, test, draw));
  const changed = applyApart(code.content, [
    ...others.map((test) => addFailing(code, test, draw)),
    ...code.assertions.map((one) => one.spoil(draw)),
  ]);
  const [, test] = /(?<![\w$.])[xf]?(test|it)(?:\.\w+)*\(/.exec(code.masked) ?? [];
  if (test === undefined && changed === code.content) return undefined;
  const added = test && `\n${test}('${drawWords(draw)}', () => {\n  ${failing(code.masked, draw)}\n});\n`;
  return { content: `${changed}${added ?? ''}`, tests: [] };
}

/** A test that has nothing to change gets an assertion that fails at its beginning. */
function addFailing({ content, masked }: Code, body: Body, draw: Draw): Edit {
  const statement = failing(masked, draw);
  if (body.isExpression) return wrap(content, masked, body, [`{ ${statement} return `, '; }']);
  const [space = ''] = /^\s*/.exec(content.slice(body.begin)) ?? [];
  return { begin: body.begin, end: body.begin, text: `${space || ' '}${statement}` };
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

const qualities = ['missing', 'unknown', 'repeated', 'invalid', 'negative', 'trailing', 'empty', 'unexpected'];
const things = ['name', 'digit', 'value', 'item', 'length', 'option', 'index', 'sign', 'entry', 'field'];
const places = ['before', 'after', 'without', 'within', 'next to'];

/** Words that a title or the message of an error could have. */
function drawWords(draw: Draw): string {
  const pick = (words: string[]) => words[draw(words.length)];
  return `${pick(qualities)} ${pick(things)} ${pick(places)} the ${pick(qualities)} ${pick(things)}`;
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
