import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { qualifiesAsStrict } from '../../../models/openai/qualifies-as-strict.ts';

const qualifies = (schema: z.ZodType) => {
  const { $schema: _, ...json } = z.toJSONSchema(schema);
  return qualifiesAsStrict(json);
};

test('a schema that OpenAI can enforce is sent as strict', () => {
  const step = z.object({ text: z.string().nullable(), kind: z.enum(['a', 'b']), done: z.boolean() });
  expect(qualifies(z.object({ steps: z.array(step).min(1), size: z.number().min(0).max(9) }))).toBe(true);
  expect(qualifies(z.object({ either: z.union([step, z.string()]) }))).toBe(true);
});

test.each([
  ['with a property that may be absent', z.object({ a: z.string().optional() })],
  ['with such a property further in', z.object({ list: z.array(z.object({ a: z.string().optional() })) })],
  ['that lets anything in', z.looseObject({ a: z.string() })],
  ['with free keys', z.object({ a: z.record(z.string(), z.string()) })],
  ['with a limit that is not enforced', z.object({ a: z.string().min(1) })],
  ['of no object', z.array(z.string())],
])('a schema %s is not sent as strict', (_, schema) => {
  expect(qualifies(schema)).toBe(false);
});
