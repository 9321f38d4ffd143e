import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkArguments, checkParameters } from '../../../agents/made-tools/check-parameters.ts';

const of = (schema: Record<string, unknown>) => ({ type: 'object', properties: { a: schema } });

test.each<[Record<string, unknown>, string]>([
  [{ type: 'string' }, 'expected a JSON Schema with "type": "object", got "string"'],
  [
    of({ type: 'text' }),
    'properties.a.type: expected one of object, array, string, number, integer, boolean, null, or an array of them',
  ],
  [
    { type: 'object', anyOf: [] },
    'expected only $schema, type, properties, required, additionalProperties, title, description at the top, got anyOf',
  ],
  [{ type: 'object', properties: { 'a b': {} } }, 'expected names of letters, digits and "_", got ["a b"]'],
  [{ type: 'object', required: ['a'] }, 'expected each "required" name among the properties, got a'],
  [of({ typo: 'string' }), 'properties.a: expected no "typo"; check this in the code instead'],
  [of({ type: 'string', pattern: '(a+)+$' }), 'properties.a: expected no "pattern"; check this in the code instead'],
  [of({ $ref: 'http://host/x' }), 'properties.a: expected no "$ref"; check this in the code instead'],
  [of({ not: { type: 'string' } }), 'properties.a: expected no "not"; check this in the code instead'],
  [
    of({ type: 'array', items: { allOf: [] } }),
    'properties.a.items: expected no "allOf"; check this in the code instead',
  ],
  [of({ type: 'object', required: ['b'] }), 'properties.a: expected each "required" name among the properties, got b'],
  [of({ minimum: 1 }), 'properties.a: expected "type": "number" beside "minimum"'],
  [of({ type: 'number', minLength: 1 }), 'properties.a: expected "type": "string" beside "minLength"'],
  [of({ type: 'string', minLength: '1' }), 'properties.a.minLength: Invalid input: expected number, received string'],
  [of({ type: 'string', anyOf: [{}] }), 'properties.a: expected "anyOf" or "oneOf" alone, got it with type'],
  [
    of({ anyOf: Array.from({ length: 65 }, () => ({ type: 'null' })) }),
    'expected at most 64 alternatives ("anyOf", "oneOf", an "enum" of numbers), got 65',
  ],
])('%j is refused as a schema of parameters', (parameters, reason) => {
  expect(checkParameters(parameters)).toEqual([{ part: 'parameters', reason }]);
});

test('a schema that is too large or too deep is refused quickly', () => {
  const reason = 'expected at most 20000 characters of JSON, got 20028';
  expect(checkParameters({ type: 'object', title: 'x'.repeat(20_000) })).toEqual([{ part: 'parameters', reason }]);
  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce<object>((inner) => ({ type: 'array', items: inner }), {});
  for (const levels of [20, 50_000]) {
    const told = checkParameters(of({ default: nested(levels) }))[0]?.reason;
    expect(told).toBe('expected at most 12 levels, got more');
  }
  expect(checkArguments(of({}), { a: nested(50_000) })).toBe('arguments: expected at most 100 levels, got more');
});

const wide = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4, description: 'Any.', format: 'email', default: 'ab' },
    count: { type: 'integer', minimum: 1, exclusiveMaximum: 10, multipleOf: 2 },
    kind: { enum: ['a', 'b', 3, null] },
    fixed: { const: true },
    list: { type: 'array', minItems: 1, maxItems: 2 },
    unique: { type: 'array', items: { type: 'object' }, uniqueItems: true },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2 },
    either: { anyOf: [{ type: 'string' }, { type: 'object', properties: { b: { type: 'null' } }, required: ['b'] }] },
    one: { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] },
    loose: { type: ['string', 'null'] },
    map: { type: 'object', additionalProperties: { type: 'number' }, minProperties: 1 },
    pattern: {},
  },
  required: ['name'],
  additionalProperties: false,
};

test.each<[string, Record<string, unknown>]>([
  ['nothing but what has to be there', {}],
  ['numbers within their limits', { count: 4 }],
  ['a value of an enum', { kind: 3 }],
  ['null of an enum', { kind: null }],
  ['a constant', { fixed: true }],
  ['an array within its limits', { list: [1, 'x'] }],
  ['different objects', { unique: [{ a: 1 }, { a: 2 }] }],
  ['a tuple and more', { pair: ['x', 1, 'more'] }],
  ['the second of two alternatives', { either: { b: null, more: 1 } }],
  ['one of two', { one: 1 }],
  ['null', { loose: null }],
  ['a map', { map: { x: 1 } }],
  ['anything, under the name of a keyword', { pattern: [{ x: 1 }] }],
])('%s is valid', (_, given) => {
  expect(checkParameters(wide)).toEqual([]);
  expect(checkArguments(wide, { name: 'abc', ...given })).toBeUndefined();
});

test.each<[unknown, string]>([
  [{}, 'name: Invalid input: expected string, received undefined'],
  [{ name: 7 }, 'name: Invalid input: expected string, received number'],
  [{ name: 'a' }, 'name: Too small: expected string to have >=2 characters'],
  [{ name: 'abcde' }, 'name: Too big: expected string to have <=4 characters'],
  [{ count: 0 }, 'count: Too small: expected number to be >=1'],
  [{ count: 10 }, 'count: Too big: expected number to be <10'],
  [{ count: 3 }, 'count: Invalid number: must be a multiple of 2'],
  [{ count: 2.5 }, 'count: Invalid input: expected int, received number'],
  [{ kind: 'c' }, 'kind: Invalid input'],
  [{ fixed: false }, 'fixed: Invalid input: expected true'],
  [{ list: [] }, 'list: Too small: expected array to have >=1 items'],
  [{ list: [1, 2, 3] }, 'list: Too big: expected array to have <=2 items'],
  [
    {
      unique: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    },
    'unique.1: Array items must be unique: element at index 1 duplicates the one at index 0',
  ],
  [{ pair: ['x'] }, 'pair'],
  [{ pair: [1, 1] }, 'pair.0: Invalid input: expected string, received number'],
  [{ either: { b: 1 } }, 'either: Invalid input'],
  [{ one: 6 }, 'one: Invalid input'],
  [{ loose: 1 }, 'loose: Invalid input'],
  [{ map: {} }, 'map: Too small: expected object to have >=1 properties'],
  [{ map: { x: 'y' } }, 'map.x: Invalid input: expected number, received string'],
  [{ more: 1 }, 'arguments: Unrecognized key: "more"'],
  [[], 'arguments: Invalid input: expected object, received array'],
])('%j never reaches the code', (given, told) => {
  const whole =
    Array.isArray(given) || !Object.keys(given as object).length ? given : { name: 'abc', ...(given as object) };
  expect(checkArguments(wide, whole)?.slice(0, told.length)).toBe(told);
});

test('a model gets the first faults and the number of the others', () => {
  const schema = of({ type: 'array', items: { type: 'string' } });
  const told = checkArguments(schema, { a: Array.from({ length: 100_000 }, () => 1) });
  expect(told).toMatch(/^a\.0: .*; and 99990 more$/);
});

test('many items that must differ are checked quickly', () => {
  const schema = of({ type: 'array', items: { type: 'object' }, uniqueItems: true });
  const since = Date.now();
  expect(checkArguments(schema, { a: Array.from({ length: 50_000 }, (_, n) => ({ n })) })).toBeUndefined();
  expect(Date.now() - since).toBeLessThan(20_000); // comparing all pairs would take minutes
});

test('a schema accepted with keywords of earlier does not keep its tool from being called', () => {
  const schema = of({ type: 'array', contains: { type: 'string' }, if: {}, allOf: [{ minItems: 3 }] });
  expect(checkArguments(schema, { a: [1] })).toBeUndefined();
});

test('no part of a schema is compiled on the host', () => {
  const compiled: unknown[][] = [];
  const real = globalThis.Function;
  const count = (whole: unknown[]) => {
    compiled.push(whole);
    return new real(...(whole as string[]));
  };
  globalThis.Function = new Proxy(real, {
    construct: (_, whole) => count(whole) as object,
    apply: (_, __, whole) => count(whole),
  });
  try {
    z.object({ a: z.string() }).safeParse({ a: 'x' });
    expect(compiled).not.toEqual([]); // shows that compiled code would be noticed
    compiled.length = 0;
    expect(checkParameters(wide)).toEqual([]);
    expect(checkArguments(wide, { name: 'abc', either: { b: null }, map: { x: 1 } })).toBeUndefined();
    expect(compiled).toEqual([]);
  } finally {
    globalThis.Function = real;
  }
});
