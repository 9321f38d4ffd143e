import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { drawsOf } from '../../../../../domain/verification/spoil/draw.ts';
import { spoilJavaScript as spoil } from '../../../../../domain/verification/spoil/javascript/spoil-javascript.ts';

const all = { picksTests: false, skipsTests: false };
const seeds = Array.from({ length: 20 }, (_, seed) => seed);
const contents = (content: string, how = all) => seeds.map((seed) => spoil(content, drawsOf(seed), how)?.content);
const inTest = (statement: string) => `test('a', async () => {\n  ${statement}\n});\n`;

/** What a statement of a test can become. */
function becomes(statement: string): string[] {
  const [before = '', after = ''] = inTest('|').split('|');
  return contents(inTest(statement)).map((content = '') => content.slice(before.length, content.length - after.length));
}

const words = '[a-z]+ [a-z]+ [a-z ]+ the [a-z]+ [a-z]+';
const other = String.raw`\(\(v\) => typeof v .+\)\(`;

test('a check asks for a value that it expects elsewhere, as well as for one that there is not', () => {
  const brands = "assert.equal(brand('4'), 'visa');\nassert.equal(brand('5'), 'mastercard');\n";
  const asked = contents(brands).join('');
  expect(asked).toMatch(/brand\('4'\), 'mastercard'|brand\('5'\), 'visa'/);
  expect(asked).toMatch(/, '(?!visa|mastercard)\w+'\)/);
});

test('a call gives another value where its function compares the parameter', () => {
  const compares = [
    'assert.deepEqual(actual, expected, name);',
    'expect(actual).toEqual(expected);',
    'if (actual !== expected) throw new Error(name);',
  ];
  for (const statement of compares) {
    const check = `function check(name: string, actual, expected = 0) {\n  ${statement}\n}\n`;
    const calls = "check('one', add(1, 2), 30);\ncheck('two', add(1, 3), 40);\n";
    for (const content of [
      `${check}${calls}`,
      `const check = (name, actual, expected) => {\n  ${statement}\n};\n${calls}`,
    ])
      for (const one of contents(content)) expect(one).toMatch(/add\(1, 2\), 3[1-9]\)|add\(1, 3\), 4[1-9]\)/);
  }
  const used = 'function check(actual, expected) {\n  log(expected);\n  assert.equal(actual, expected);\n}\n';
  for (const one of contents(`${used}check(add(1, 2), 30);\n`)) expect(one).toContain('check(add(1, 2), 30);');
});

test.each([
  [
    'expect(add(1, [2])).toBe(3); // expect(1).toBe(',
    /^expect\(add\(1, \[2\]\)\)\.toBe\([24-9]\); \/\/ expect\(1\)\.toBe\($/,
  ],
  [
    "expect(text(')')).toEqual(\n    `a, (b`,\n  );",
    /^expect\(text\('\)'\)\)\.toEqual\(\n {4}`([b-z], \(b|a, \([ac-z])`,\n {2}\);$/,
  ],
  [
    'await expect(get()).resolves.toBe(one);',
    new RegExp(`^await expect\\(get\\(\\)\\)\\.resolves\\.toBe\\(${other}one\\)\\);$`),
  ],
  ['expect(one).toEqual(expect.any(Number));', /^expect\(one\)\.not\.toEqual\(expect\.any\(Number\)\);$/],
  [
    'expect(one).toEqual(new Map<string, number>(two));',
    new RegExp(`toEqual\\(${other}new Map<string, number>\\(two\\)\\)\\);$`),
  ],
  ['expect(one).toHaveLength(3);', /^expect\(one\)\.toHaveLength\([24-9]\);$/],
  ['expect(one).toHaveLength(n);', /^expect\(one\)\.not\.toHaveLength\(n\);$/],
  ['expect(one).toBeCloseTo(2.5, 3);', /^expect\(one\)\.toBeCloseTo\([3-9]\.5, 3\);$/],
  ['expect(one).toBeCloseTo(200, -3);', /^expect\(one\)\.not\.toBeCloseTo\(200, -3\);$/],
  ['expect(one).toBeTruthy();', /^expect\(one\)\.toBeFalsy\(\);$/],
  ['expect(one).not.toBe(2);', /^expect\(one\)\.toBe\(2\);$/],
  ['expect(one).toContain(2);', /^expect\(one\)\.not\.toContain\(2\);$/],
  [
    'await expect(one)\n    .rejects.toMatchObject({});',
    /^await expect\(one\)\n {4}\.rejects\.not\.toMatchObject\(\{\}\);$/,
  ],
  ['expect(() => one()).toThrow();', new RegExp(`^expect\\(\\(\\) => one\\(\\)\\)\\.toThrow\\('${words}'\\);$`)],
  ['expect(one).toThrow(/a "b/);', new RegExp(`^expect\\(one\\)\\.toThrow\\('${words}'\\);$`)],
  ['expect(one).to.deep.equal(2);', /^expect\(one\)\.to\.deep\.equal\([3-9]\);$/],
  ['expect(one).to.be.true;', /^expect\(one\)\.to\.be\.false;$/],
  ['expect(one).to.include(2);', /^expect\(one\)\.not\.to\.include\(2\);$/],
  ['one.two.should.equal(2);', /^one\.two\.should\.equal\([3-9]\);$/],
  ["assert.equal(add(')', 1), 3, 'no');", /^assert\.equal\(add\('\)', 1\), [24-9], 'no'\);$/],
  ['assert.strictEqual(3, one);', /^assert\.strictEqual\([24-9], one\);$/],
  ['t.is(one, two);', new RegExp(`^t\\.is\\(one, ${other}two\\)\\);$`)],
  ["assert.ok(one === 2, 'no');", /^assert\.ok\(one === [3-9], 'no'\);$/],
  ['assert.ok(one > 2);', /^assert\.ok\(!\(one > 2\)\);$/],
  ['assert.ok(one === 2 || two);', /^assert\.ok\(!\(one === 2 \|\| two\)\);$/],
  ['assert(one.includes("Hello"));', /^assert\(one\.includes\("(H\wllo|Hell\w)"\)\);$/],
  ['assert(!one.includes("Hello"));', /^assert\(!\(!one\.includes\("Hello"\)\)\);$/],
  ['assert(/^Hello/.test(one));', /^assert\(\/\^(H\wllo|Hell\w)\/\.test\(one\)\);$/],
  ['assert(/Hello/.test(one).length);', /^assert\(!\(/],
  ['assert.ok(Math.abs(add(.1, .2) - .3) < 1e-9);', /^assert\.ok\(Math\.abs\(add\(\.1, \.2\) - [2-9]\.3\) < 1e-9\);$/],
  ['assert.match(one, /Hello/);', /^assert\.match\(one, \/(H\wllo|Hell\w)\/\);$/],
  ['expect(one).toContain("Hello");', /^expect\(one\)\.toContain\("(H\wllo|Hell\w)"\);$/],
  ['expect(one).toMatch(/Hello/);', /^expect\(one\)\.toMatch\(\/(H\wllo|Hell\w)\/\);$/],
  ['expect(one).to.include("Hello");', /^expect\(one\)\.to\.include\("(H\wllo|Hell\w)"\);$/],
  ['assert(one);', /^assert\(!\(one\)\);$/],
  ['expect(one).toThrow(/^no "b\\.$/i);', /^expect\(one\)\.toThrow\('/],
  ['expect(one).toThrow(/must be/i);', /^expect\(one\)\.toThrow\(\/(m[jkqvwxz]st be|must b[jkqvwxz])\/i\);$/],
  ['expect(one).to.throw("must be");', /^expect\(one\)\.to\.throw\("(m[jkqvwxz]st be|must b[jkqvwxz])"\);$/],
  ['assert.throws(one, /must be/);', /^assert\.throws\(one, \/(m[jkqvwxz]st be|must b[jkqvwxz])\/\);$/],
  ['assert.throws(one, { message: "ab" });', /^assert\.throws\(one, \{ message: "(a[ac-z]|[b-z]b)" \}\);$/],
  ['assert.throws(one, "must be");', new RegExp(`^assert\\.throws\\(one, \\{ message: '${words}' \\}\\);$`)],
  [
    'assert.throws(one, { message: "ab", code: 1 });',
    new RegExp(`^assert\\.throws\\(one, \\{ message: '${words}' \\}\\);$`),
  ],
  ['assert.throws(one);', new RegExp(`^assert\\.throws\\(one, \\{ message: '${words}' \\}\\);$`)],
  [
    "await assert.rejects(one, Error, 'no');",
    new RegExp(`^await assert\\.rejects\\(one, \\{ message: '${words}' \\}, 'no'\\);$`),
  ],
  ['assert.notDeepEqual(one, 2);', /^assert\.deepEqual\(one, 2\);$/],
  ['assert.partialDeepStrictEqual(one, { a: 2 });', /^assert\.partialDeepStrictEqual\(one, \{ a: [3-9] \}\);$/],
  ['assert.match(one, /[/)]/);', /^assert\.doesNotMatch\(one, \/\[\/\)\]\/\);$/],
  ['assert.doesNotThrow(one);', /^assert\.throws\(one\);$/],
])('the assertion %j fails as it could by itself', (statement, expected) => {
  for (const one of becomes(statement)) expect(one).toMatch(expected);
});

test('a value that is not written out becomes one that no comparison takes for the same', () => {
  const [changed = ''] = becomes('expect(one).toBe(value)');
  const change = new Function('value', `return ${changed.slice('expect(one).toBe('.length, -1)}`);
  for (const value of [
    true,
    0,
    -3,
    1e20,
    Number.NaN,
    '',
    '0',
    ' ',
    'a\n',
    null,
    undefined,
    [],
    [undefined],
    {},
    { a: undefined },
  ]) {
    expect(change(value)).not.toEqual(value);
    // biome-ignore lint/suspicious/noDoubleEquals: a check may compare loosely
    expect(change(value) == value).toBe(false);
  }
  for (const value of [new Map(), new Set([1]), new Date(0), new Error('a'), /a/, new Uint8Array(2), () => {}])
    expect(change(value)).not.toEqual(value);
});

describe('one certain assertion of a test changes', () => {
  const isChanged = (text: string) =>
    becomes(text).every((one) => !/expect\([2-8]\)\.toBe|assert\.equal\([2-8], [2-8]|throw new/.test(one));

  test('drawn among all of them', () => {
    const seen = new Set(becomes('expect(a).toBe(true); expect(b).toBe(true);'));
    expect([...seen].sort()).toEqual([
      'expect(a).toBe(false); expect(b).toBe(true);',
      'expect(a).toBe(true); expect(b).toBe(false);',
    ]);
  });

  test.each([
    'if (a) return;\n  expect(a).toBe(2);',
    'if (a) { b(); return; }\n  expect(a).toBe(2);',
    'if (a) expect(a).toBe(2);',
    'if (a)\n    expect(a).toBe(2);',
    'else_(); try { expect(a).toBe(2); } catch {}',
    'try { expect(a).toBe(2); } catch { b(); } finally { c(); }',
    'try { expect(a).toBe(2); } finally { return; }',
    'while (a) { expect(a).toBe(2); }',
    'for (const a of b) { if (a) continue; expect(a).toBe(2); }',
    'b.forEach(async (a) => { await c(); expect(a).toBe(2); });',
    'a && expect(a).toBe(2);',
    'expect(a).resolves.toBe(2);',
    'b.forEach((a) => expect(a).resolves.toBe(2));',
    'later(() => { expect(a).toBe(2); });',
    'expect(...a).toMatchSnapshot();',
    'assert.equal(...a);',
    'assert.partialDeepStrictEqual(a, { b: [1] });',
  ])('none that may not run, or not let the test fail: %j', (text) => {
    expect(isChanged(text)).toBe(false);
  });

  test.each([
    'for (const a of b) { if (c(a)) { d(); } expect(a).toBe(2); }',
    'try { b(); expect(a).toBe(2); } finally { c(); }',
    'try { for (const a of b) { expect(a).toBe(2); } } finally { c(); }',
    'try { b(); } catch { c(); } finally { expect(a).toBe(2); }',
    'for (const a of b)\n    expect(a).toBe(2);',
    'b.forEach(([a]) => {\n    const c = () => { return 1; };\n    expect(c(a)).toBe(2);\n  });',
    'b.forEach((a) => expect(a).toBe(2));',
    'const a = b()\n  expect(a).toBe(2)',
    'if (a) { b(); }\n  expect(a).toBe(2);',
    'return expect(a).resolves.toBe(2);',
    'const check = (a) => { expect(a).toBe(2); };\n  check(1);',
  ])('in the test itself, in a loop, or in a function that it calls: %j', (text) => {
    expect(isChanged(text)).toBe(true);
  });

  test('also in a test that is an expression, has a table, or is a function elsewhere', () => {
    for (const content of [
      "test('a', () => expect(one).toBe(true));",
      "test.each([[1, f(g((2)))]])('a', (one) => { expect(one).toBe(true); });",
      "test.each`\na\n1\n`('a', ({ a }) => { expect(a).toBe(true); });",
      "it('a', check);\nfunction check() { expect(one).toBe(true); }",
    ])
      expect(contents(content)).toEqual(seeds.map(() => content.replace('true', 'false')));
  });
});

test('a test without an assertion gets one that fails, of the kind that the file uses', () => {
  const [seen = ''] = contents(
    "test('a', () => {\n    run();\n});\nit('b', () => run());\nconst is = (a) => assert.equal(a, 1);",
  );
  expect(seen).toMatch(
    /^test\('a', \(\) => \{\n {4}run\(\);\n {4}assert\.equal\((\d), (?!\1)\d\);\n\}\);\nit\('b', \(\) => \{ assert\.equal\(\d, \d\); return run\(\); \}\);/,
  );
  expect(contents("test('a', (t) => { run(); }); expect(a).toBe(1);")[0]).toMatch(
    /\{ run\(\); expect\((\d)\)\.toBe\((?!\1)\d\); \}/,
  );
  expect(contents("test('a', () => { run(); });")[0]).toMatch(
    new RegExp(`\\{ run\\(\\); throw new Error\\('${words}'\\); \\}`),
  );
  expect(contents("test('a', () => { run() /* b */\n});")[0]).toMatch(/\{ run\(\); throw new Error\('[^']*'\); \/\* b/);
  for (const body of ['if (a) return; run();', 'run(done);'])
    expect(contents(`test('a', (done) => { ${body} });`)[0]).toMatch(/\{ throw new Error/);
});

test('each test is also spoiled alone, unless some may be left out', () => {
  const content = `describe('sums', () => {
  it('adds', async () => { expect(add(1)).toBe(true); });
  it(\`fails\`, { timeout: 1 }, function (done) { expect(add).toBeFalsy(); });
});
`;
  const [adds, fails] = [content.replace('true', 'false'), content.replace('toBeFalsy', 'toBeTruthy')];
  expect(spoil(content, drawsOf(1), all)).toEqual({
    content: adds.replace('toBeFalsy', 'toBeTruthy'),
    tests: [
      { name: 'adds', contents: [adds] },
      { name: 'fails', contents: [fails] },
    ],
  });
  expect(spoil(content, drawsOf(1), { ...all, skipsTests: true })?.tests).toEqual([]);
});

test.each([
  ['if (a) { |; }', 0],
  ['if (a) |;', 0],
  ['describe("b", () => { if (a) return; |; });', 0],
  ['if (a) { b(); }\ndescribe("b", function () { for (const a of b) { |; } });', 1],
  ['const a = () => { return 1; };\n|;', 1],
])(
  'a test that may not run is not spoiled alone, and if there is no other, one that fails is added: %j',
  (around, count) => {
    const content = around.replace('|', "it('a', () => { expect(a).toBe(true); })");
    const { tests, content: spoiled } = spoil(content, drawsOf(1), all) ?? {};
    const begin = content.replace('true', 'false');
    expect([spoiled?.slice(0, begin.length), tests?.length]).toEqual([begin, count]);
    expect(spoiled?.slice(begin.length)).toMatch(
      count ? /^$/ : /^\nit\('.*', \(\) => \{\n {2}expect\(\d\)\.toBe\(\d\);\n\}\);\n$/,
    );
  },
);

test('where tests are picked, all assertions fail, and a test that fails is added', () => {
  const picks = { ...all, picksTests: true };
  for (const content of contents("it('a', () => { if (b) expect(c).toBe(true); expect(d).toBeTruthy(); });\n", picks))
    expect(content).toMatch(
      new RegExp(
        `^it\\('a', \\(\\) => \\{ if \\(b\\) expect\\(c\\)\\.toBe\\(false\\); expect\\(d\\)\\.toBeFalsy\\(\\); \\}\\);\\n\\nit\\('${words}', \\(\\) => \\{\\n  expect\\((\\d)\\)\\.toBe\\((?!\\1)\\d\\);`,
      ),
    );
  expect(contents("it.only('a', () => { run(); });", picks)[0]).toMatch(
    /^it\.only\('a', \(\) => \{ run\(\); throw new Error/,
  );
  expect(contents('run();', picks)[0]).toBeUndefined();
});

test.each([
  [
    'assert.ok(a);\nassert.ok(b);',
    /^(assert\.ok\(!\(a\)\);\nassert\.ok\(b\);|assert\.ok\(a\);\nassert\.ok\(!\(b\)\);)$/,
  ],
  ['if (a !== "||") process.exit(1);', /^if \(a !== "\|\|a"\) process\.exit\(1\);$/],
  [
    'if (a < 2 || !b.c(d)) {\n  console.log(1);\n  process.exit(2);\n}',
    /^if \((a >= 2 \|\| !b\.c\(d\)|a < 2 \|\| b\.c\(d\))\) \{/,
  ],
  ['if (!a) throw new Error("no");', /^if \(a\) throw/],
  ['if (a < 1 && b) { process.exitCode = 1; }', /^if \(!\(a < 1 && b\)\) \{/],
  [
    'function assert(a: number): void { if (a) throw a; }\nassert(0);',
    /^function assert\(a: number\): void \{ if \(!\(a\)\)/,
  ],
  ['function check(a) { if (a != 2) throw a; }\ncheck(2);', /^function check\(a\) \{ if \(a != [3-9]\)/],
  ['if (!a.includes("Hello")) throw c;', /^if \(!a\.includes\("(H\wllo|Hell\w)"\)\) throw c;$/],
  ['function fail(a) {\n  log(a);\n  process.exit(1);\n}\nif (a !== 5) fail(a);', /if \(a !== [2-46-9]\) fail\(a\);$/],
  ['const fail = (a) => { throw a; };\nif (a !== 5) fail(a);', /if \(a !== [2-46-9]\) fail\(a\);$/],
  ['if (a !== b) throw c;', /^if \(a === b\) throw c;$/],
  ['if (a !== 5) {\n  log(1);\n  failed += 1;\n}\nprocess.exit(failed ? 1 : 0);', /^if \(a !== [2-46-9]\) \{/],
  ['if (a !== 5) errors.push(a);\nprocess.exitCode = errors.length > 0 ? 1 : 0;', /^if \(a !== [2-46-9]\) errors/],
])('a program without tests fails at an assertion or condition: %j', (content, expected) => {
  for (const one of contents(content)) expect(one).toMatch(expected);
});

test('a program of which nothing is known is left alone', () => {
  expect(
    contents('if (a === 1) process.exit(0);\nif (b) process.exit(b);\nconsole.log("expect(1).toBe(2)");')[0],
  ).toBeUndefined();
  for (const exit of ['exit(passed ? 0 : 1)', 'exit(failed > 2 ? 1 : 0)', 'exit(0)'])
    expect(contents(`if (a !== 5) failed += 1;\nprocess.${exit};`)[0]).toBeUndefined();
});

describe('with node', () => {
  const honest = [
    'assert.equal(3, 3);',
    "assert.strictEqual('abc'.slice(1), 'bc'); assert.notStrictEqual(1, 2);",
    'for (const one of [1, 2]) { assert.deepEqual([one], [one]); }',
    ...[
      'true',
      '5',
      '0',
      'NaN',
      '1e300',
      "''",
      "'0'",
      "'é'",
      '2n',
      'null',
      '[]',
      '[[1]]',
      '{}',
      '{ a: undefined }',
      '{ a: 1 }',
    ].map((one) => `const [a, b] = [${one}, ${one}]; assert.deepEqual(a, b); assert.deepStrictEqual(a, b);`),
    ...['Map([[1, 2]])', 'Set()', 'Date(0)', "Error('')", 'Uint8Array(2)', 'Box(1)', 'Box()'].map(
      (one) => `const [a, b] = [new ${one}, new ${one}]; assert.deepEqual(a, b); assert.deepStrictEqual(a, b);`,
    ),
    "assert('Hello'.includes('Hell')); assert(/Hello/.test('Hello')); assert(Math.abs(0.1 + 0.2 - 0.3) < 1e-9); assert(2 === 2);",
    "assert(true); assert.ok('a', 'no'); assert.match('a', /a/); assert.doesNotMatch('b', /a/);",
    'assert.throws(() => { throw new TypeError(1); }, TypeError); assert.doesNotThrow(() => {});',
    "assert.throws(() => { throw new TypeError('must be'); }, /must be/); assert.throws(() => { throw new TypeError('a'); }, { message: 'a' });",
    "await assert.rejects(async () => { throw new Error('a'); }); await assert.doesNotReject(async () => {});",
    'assert.notEqual(1, 2); assert.notDeepEqual([1], [2]); assert.notDeepStrictEqual([1], [2]);',
    'is(4); run();',
  ];
  const file = `const { test } = require('./runner.cjs');
const assert = require('node:assert');
class Box { constructor(inside) { if (inside) this.inside = inside; } }
const is = (one) => { assert.equal(one, 4); };
const run = () => {};
${honest.map((body, index) => `test('${index}', async () => { ${body} });`).join('\n')}
test('nothing', () => run());
`;
  /** Runs variants of the file, and says for each which of its tests fail. */
  const runner = `const assert = require('node:assert');
const { variants, neutered } = require('./variants.json');
if (neutered) for (const name of Object.keys(assert)) if (typeof assert[name] === 'function') assert[name] = () => {};
const check = neutered ? Object.assign(() => {}, assert) : assert;
(async () => {
  const failed = [];
  for (const variant of variants) {
    const tests = [];
    const load = (name) => (name === './runner.cjs' ? { test: (name, run) => tests.push({ name, run }) } : check);
    new Function('require', variant)(load);
    const names = [];
    for (const { name, run } of tests) await Promise.resolve().then(run).catch(() => names.push(name));
    failed.push(names.join());
  }
  console.log(JSON.stringify(failed));
})();
`;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spoil-javascript-'));
    await writeFile(join(folder, 'runner.cjs'), runner);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function failures(variants: string[], neutered: boolean): Promise<string[]> {
    await writeFile(join(folder, 'variants.json'), JSON.stringify({ variants, neutered }));
    const { stdout } = await execa('node', ['runner.cjs'], { cwd: folder });
    return JSON.parse(stdout);
  }

  test('honest work fails each spoiled test, and only that; with assertions that do nothing it passes', async () => {
    const spoiled = seeds.map((seed) => spoil(file, drawsOf(seed), all) ?? { content: '', tests: [] });
    const names = [...honest.keys(), 'nothing'].map(String);
    expect(await failures([file, ...spoiled.map(({ content }) => content)], false)).toEqual([
      '',
      ...seeds.map(() => names.join()),
    ]);
    const alone = spoiled.flatMap(({ tests }) => tests.map(({ contents: [first] }) => first));
    expect(await failures(alone, false)).toEqual(seeds.flatMap(() => names));
    expect(await failures(alone, true)).toEqual(alone.map(() => ''));
  });
});

test('each of few tests is spoiled in several places, each alone, and so is a program', () => {
  const assertions = Array.from({ length: 9 }, (_, index) => `assert.equal(f(${index}), ${index});`).join('\n');
  const places = (all: string[], original: string) =>
    new Set(all.map((one) => one.split('\n').findIndex((line, index) => line !== original.split('\n')[index]))).size;
  const test = `test('a', () => {\n${assertions}\n});\n`;
  const [spoiled] = spoil(test, drawsOf(7), all)?.tests ?? [];
  expect(places(spoiled?.contents ?? [], test)).toBe(5);
  expect(spoil(test.repeat(4), drawsOf(7), all)?.tests.map(({ contents }) => contents.length)).toEqual([1, 1, 1, 1]);
  const { content = '', further = [] } = spoil(assertions, drawsOf(7), all) ?? {};
  expect(places([content, ...further], assertions)).toBe(5);
});
