import { expect, test } from '@jest/globals';
import { checkJavaScript } from '../../../agents/made-tools/check-javascript.ts';
import { defaultToolSettings } from '../../../domain/tool/tool-settings.ts';
import { addUp } from '../../sandbox/made-tools/sample-tools.ts';

function check(code: string, tests = addUp.tests): string[] {
  const imports = defaultToolSettings.imports.javascript;
  return checkJavaScript({ name: 'add_up', code, tests, imports }).map(
    ({ part, line, reason }) => `${part} ${line}: ${reason}`,
  );
}

const inside = (line: string) => `export function add_up({ numbers }) {\n  ${line}\n  return numbers;\n}\n`;

test('a valid JavaScript tool is accepted', () => {
  expect(check(addUp.code)).toEqual([]);
  expect(
    check(`import { createHash } from 'node:crypto';\nimport util from 'util';\nexport async ${addUp.code.slice(7)}`),
  ).toEqual([]);
  expect(check(inside('const evaluate = numbers[0]; class Sum { constructor() { this.x = 1; } }'))).toEqual([]);
  expect(
    check(
      inside(`
  const grid = new Map(), [first, { second = 2, ...rest }] = numbers, process = (one) => one, key = 'a';
  var total = 0;
  outer: for (const [index, one] of numbers.entries()) {
    if (!one) continue outer;
    switch (index) { case 1: let eval_ = one; total += eval_; break; default: grid.set(\`\${index},\${one}\`, rest[key + ',' + second]); }
  }
  try { process(first); } catch (error) { throw new RangeError(error.message, { cause: error }); } finally { console.log(total); }
  function Inner({ a = 1 } = {}) { return arguments.length + a; }
  class Sum { #sum = 0; static of = 1; static { var inside = 1; this.of = inside; } get sum() { return this.#sum; } ['a' + key]() {} }
  const named = function again(n) { return n ? again(n - 1) : new Sum().sum + Inner(); };
  return JSON.stringify([named(2), Math.max(...numbers.map(Number)), isNaN(undefined), key]);`),
    ),
  ).toEqual([]);
});

test.each<[string, RegExp]>([
  [`import fs from 'node:fs';\n${addUp.code}`, /^code 1: expected imports of node:assert.* only, got node:fs$/],
  [`import x from './tool.mjs';\n${addUp.code}`, /^code 1: .*got \.\/tool\.mjs$/],
  [inside("eval('1')"), /^code 2: .*got eval$/],
  [inside("const run = eval; run('1')"), /^code 2: .*got eval$/],
  [inside("new Function('1')()"), /^code 2: .*got Function$/],
  [inside("numbers.constructor.constructor('1')()"), /^code 2: .*got \.constructor$/],
  [inside("numbers['constructor']"), /^code 2: .*constructor/],
  [inside('const { constructor: made } = numbers'), /^code 2: .*got \.constructor$/],
  [inside('numbers.__proto__ = null'), /^code 2: .*got \.__proto__$/],
  [inside("import('node:fs')"), /^code 2: .*got import\(\)$/],
  [inside("require('fs')"), /^code 2: .*got require$/],
  [inside('process.exit()'), /^code 2: .*got process$/],
  [inside('globalThis.x = 1'), /^code 2: .*got globalThis$/],
  [inside('import.meta.url'), /^code 2: .*import\.meta/],
  // A name used outside the scope that binds it refers to Node's global.
  [inside('{ const process = 1; } process.exit()'), /^code 2: .*got process$/],
  [inside('(function process() {}); process.exit()'), /^code 2: .*got process$/],
  [inside('for (let fetch of []) {} fetch("http://x")'), /^code 2: .*got fetch$/],
  [inside('try {} catch (process) {} process.exit()'), /^code 2: .*got process$/],
  [inside('((a = process) => { var process; return a; })()'), /^code 2: .*got process$/],
  [inside('switch (process) { case 1: let process; }'), /^code 2: .*got process$/],
  [inside('global.x; module; exports; __dirname; navigator; WebSocket;'), /^code 2: .*got global$/],
  [inside('const { log } = console;'), /^code 2: expected only console\.log/],
  [inside('console._stdout.write("x")'), /^code 2: expected only console\.log/],
  [inside('console["_stdout"]'), /^code 2: expected only console\.log/],
  [inside('(()=>{})[`constructor`]("return process")()'), /^code 2: .*got "constructor"$/],
  [inside("const {'constructor': C} = ()=>{}"), /^code 2: .*got "constructor"$/],
  [inside("const {['constr' + 'uctor']: C} = ()=>{}"), /^code 2: .*got "constructor"$/],
  [inside("numbers['constr'+'uctor']"), /^code 2: .*got "constructor"$/],
  [inside(`const key = \`constr\${'uct' + \`or\`}\``), /^code 2: .*got "constructor"$/],
  [inside("numbers['__pro' + 'to__']"), /^code 2: .*got "__proto__"$/],
  [inside('numbers.__lookupSetter__("x")'), /^code 2: .*got \.__lookupSetter__$/],
  [inside('class X { static prototype = 1 }'), /^code 2: .*prototype/],
  [
    `const x = 1;\n${addUp.code}`,
    /^code 1: expected imports and the one `export function add_up`, got VariableDeclaration/,
  ],
  [`${addUp.code}export function other() {}`, /^code 5: .*got ExportNamedDeclaration/],
  [`${addUp.code}await 1;`, /^code 5: .*got ExpressionStatement/],
  [addUp.code.replace('export ', ''), /expected `export function add_up\(\{ \.\.\. \}\)`, found none/],
  ['export function add_up(a, b = eval("1")) {}', /^code 1: expected one parameter.*got 2$/],
  ['export function add_up(a = eval("1")) {}', /^code 1: .*got eval$/],
  ['export function add_up( {', /^code 1: expected a JavaScript module/],
])('%j is refused', (code, told) => {
  expect(check(code)).toEqual(expect.arrayContaining([expect.stringMatching(told)]));
});

test('code nested too deeply is refused without ending the worker', () => {
  for (const depth of [2000, 4000, 6000, 8000, 20_000]) {
    const told = check(inside(`return ${'1+'.repeat(depth)}1`)).join();
    expect(told).toMatch(depth === 20_000 ? /stack space/ : /^$|stack space|nested too deeply/);
  }
  expect(check(inside(`return ${'['.repeat(20_000)}`)).join()).toMatch(/expected a JavaScript module/);
  const since = Date.now();
  expect(check(inside(`return [${'"a"+'.repeat(1500)}"a", ${'"b",'.repeat(8000)}]`))).toEqual([]);
  expect(Date.now() - since).toBeLessThan(20_000);
});

test('tests without an assertion are refused', () => {
  expect(check(addUp.code, 'import { test } from "node:test"; test("x", () => {});')).toEqual([
    expect.stringMatching(/^tests 1: expected a call of add_up/),
    expect.stringMatching(/^tests 1: expected an assertion/),
  ]);
});
