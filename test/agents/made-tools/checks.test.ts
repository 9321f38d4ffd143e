import { expect, test } from '@jest/globals';
import { checkJavaScript } from '../../../agents/made-tools/check-javascript.ts';
import { checkArguments, checkParameters } from '../../../agents/made-tools/check-parameters.ts';
import { defaultToolSettings } from '../../../agents/made-tools/tool-settings.ts';
import { addUp } from '../../sandbox/made-tools/sample-tools.ts';

function check(code: string, tests = addUp.tests): string[] {
  const imports = defaultToolSettings.imports.javascript;
  return checkJavaScript({ name: 'add_up', code, tests, imports }).map(
    ({ part, line, reason }) => `${part} ${line}: ${reason}`,
  );
}

const inside = (line: string) => `export function add_up({ numbers }) {\n  ${line}\n  return numbers;\n}\n`;

test('a tool in JavaScript that is right would be refused', () => {
  expect(check(addUp.code)).toEqual([]);
  expect(
    check(`import { createHash } from 'node:crypto';\nimport util from 'util';\nexport async ${addUp.code.slice(7)}`),
  ).toEqual([]);
  expect(check(inside('const evaluate = numbers[0]; class Sum { constructor() { this.x = 1; } }'))).toEqual([]);
});

test.each<[string, RegExp]>([
  [`import fs from 'node:fs';\n${addUp.code}`, /^code 1: expected imports of node:assert.* only, got node:fs$/],
  [`import x from './tool.mjs';\n${addUp.code}`, /^code 1: .*got \.\/tool\.mjs$/],
  [inside("eval('1')"), /^code 2: .*got eval$/],
  [inside("const run = eval; run('1')"), /^code 2: .*got eval$/],
  [inside("new Function('1')()"), /^code 2: .*got Function$/],
  [inside("numbers.constructor.constructor('1')()"), /^code 2: .*got \.constructor$/],
  [inside("numbers['constructor']"), /^code 2: .*constructor/],
  [inside('const { constructor: made } = numbers'), /^code 2: .*got constructor$/],
  [inside('numbers.__proto__ = null'), /^code 2: .*got \.__proto__$/],
  [inside("import('node:fs')"), /^code 2: .*got import\(\)$/],
  [inside("require('fs')"), /^code 2: .*got require$/],
  [inside('process.exit()'), /^code 2: .*got process$/],
  [inside('globalThis.x = 1'), /^code 2: .*got globalThis$/],
  [inside('import.meta.url'), /^code 2: .*import\.meta/],
  [
    `const x = 1;\n${addUp.code}`,
    /^code 1: expected imports and the one `export function add_up`, got VariableDeclaration/,
  ],
  [`${addUp.code}export function other() {}`, /^code 5: .*got ExportNamedDeclaration/],
  [`${addUp.code}await 1;`, /^code 5: .*got ExpressionStatement/],
  [addUp.code.replace('export ', ''), /expected `export function add_up\(\{ \.\.\. \}\)`, found none/],
  ['export function add_up(a, b = eval("1")) {}', /^code 1: expected one parameter.*got 2$/],
  ['export function add_up(a = eval("1")) {}', /^code 1: .*got eval$/],
  ['export function add_up( {', /^code 1: it is no JavaScript module/],
])('%j would be accepted', (code, told) => {
  expect(check(code)).toEqual(expect.arrayContaining([expect.stringMatching(told)]));
});

test('code that is nested too deeply to look at would bring its worker down', () => {
  for (const depth of [2000, 4000, 6000, 8000, 20_000]) {
    const told = check(inside(`return ${'1+'.repeat(depth)}1`)).join();
    expect(told).toMatch(depth === 20_000 ? /stack space/ : /^$|stack space|nested too deeply/);
  }
  expect(check(inside(`return ${'['.repeat(20_000)}`)).join()).toMatch(/no JavaScript module/);
});

test('tests that test nothing would be accepted', () => {
  expect(check(addUp.code, 'import { test } from "node:test"; test("x", () => {});')).toEqual([
    expect.stringMatching(/^tests 1: expected a call of add_up/),
    expect.stringMatching(/^tests 1: expected an assertion/),
  ]);
});

test.each<[Record<string, unknown>, string]>([
  [{ type: 'string' }, 'expected a JSON Schema with "type": "object", got "string"'],
  [
    { type: 'object', properties: { a: { type: 'text' } } },
    'it is no JSON Schema: schema is invalid: data/properties/a/type must be equal to one of the allowed values, data/properties/a/type must be array, data/properties/a/type must match a schema in anyOf',
  ],
  [
    { type: 'object', anyOf: [] },
    'expected only $schema, type, properties, required, additionalProperties, title, description at the top, got anyOf',
  ],
  [{ type: 'object', properties: { 'a b': {} } }, 'expected names of letters, digits and "_", got ["a b"]'],
  [{ type: 'object', required: ['a'] }, 'expected what is "required" among the properties, got a'],
  [
    { type: 'object', properties: { a: { typo: 'string' } } },
    'it is no JSON Schema: strict mode: unknown keyword: "typo"',
  ],
  [
    { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } },
    'expected no "pattern"; check that in the code',
  ],
  [{ type: 'object', properties: { a: { $ref: 'http://host/x' } } }, 'expected no "$ref"; check that in the code'],
])('%j would be taken for a schema of parameters', (parameters, reason) => {
  expect(checkParameters(parameters)).toEqual([{ part: 'parameters', reason }]);
});

test('a schema that takes long to compile would be compiled', () => {
  const reason = 'expected at most 20000 characters of JSON, got 20028';
  expect(checkParameters({ type: 'object', title: 'x'.repeat(20_000) })).toEqual([{ part: 'parameters', reason }]);
  const deep = Array.from({ length: 20 }).reduce<object>((inner) => ({ items: inner }), {});
  expect(checkParameters({ type: 'object', properties: { a: deep } })[0]?.reason).toBe(
    'expected at most 12 levels, got more',
  );
});

test('parameters whose names are those of keywords would be refused, or their arguments be judged wrongly', () => {
  const parameters = {
    $schema: 'x',
    type: 'object',
    properties: { pattern: { type: 'string', format: 'email' } },
    required: ['pattern'],
  };
  expect(checkParameters(parameters)).toEqual([]);
  expect(checkArguments(parameters, { pattern: 'x' })).toBeUndefined();
  expect(checkArguments(parameters, {})).toBe("arguments: must have required property 'pattern'");
  expect(checkArguments(parameters, { pattern: 1 })).toBe('pattern: must be string');
});
