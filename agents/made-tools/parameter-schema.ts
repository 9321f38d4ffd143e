import { z } from 'zod';

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

/** The types that a keyword applies to; for any other type validation would ignore it. */
const typesOf: Record<string, readonly string[]> = {
  ...about(['object'], ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']),
  ...about(['array'], ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']),
  ...about(['string'], ['minLength', 'maxLength']),
  ...about(['number', 'integer'], ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
};

const primitive = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const size = z.int().min(0);

/** Annotations for the reader; arguments are not validated against them. */
const annotations = {
  $schema: z.string(),
  $comment: z.string(),
  title: z.string(),
  description: z.string(),
  default: z.unknown(),
  examples: z.array(z.unknown()),
  format: z.string(),
  deprecated: z.boolean(),
};

const itself = z.lazy((): z.ZodType => parameterSchema);

const held = {
  type: z.union([z.enum(types), z.array(z.enum(types)).min(1)], {
    error: () => `expected one of ${types.join(', ')}, or an array of them`,
  }),
  enum: z.array(primitive).min(1),
  const: primitive,
  properties: z.record(z.string(), itself),
  required: z.array(z.string()),
  additionalProperties: z.preprocess((value) => (typeof value === 'boolean' ? {} : value), itself),
  minProperties: size,
  maxProperties: size,
  items: itself,
  prefixItems: z.array(itself).min(1),
  minItems: size,
  maxItems: size,
  uniqueItems: z.boolean(),
  minLength: size,
  maxLength: size,
  minimum: z.number(),
  maximum: z.number(),
  exclusiveMinimum: z.number(),
  exclusiveMaximum: z.number(),
  multipleOf: z.number().positive(),
  anyOf: z.array(itself).min(1),
  oneOf: z.array(itself).min(1),
};

/**
 * The schema language for parameters of made tools: the part of JSON Schema that `z.fromJSONSchema` validates as the standard says, in time that
 * grows only with the arguments.
 */
export const parameterSchema = z
  .strictObject({ ...annotations, ...held })
  .partial()
  .superRefine((schema, context) => {
    const complain = (message: string) => context.addIssue({ code: 'custom', message });
    const given = Object.keys(schema);
    const own = [schema.type ?? []].flat();
    for (const keyword of given) {
      const fitting = typesOf[keyword];
      if (fitting && !own.some((type) => fitting.includes(type))) {
        complain(`expected "type": "${fitting[0]}" beside "${keyword}"`);
      }
    }
    const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
    if (missing.length) complain(`expected each "required" name among the properties, got ${missing.join(', ')}`);
    const beside = given.filter((keyword) => keyword in held);
    if ((schema.anyOf || schema.oneOf) && beside.length > 1) {
      complain(
        `expected "anyOf" or "oneOf" alone, got it with ${beside.filter((one) => !/^(any|one)Of$/.test(one)).join(', ') || 'each other'}`,
      );
    }
  });

/** The part of a schema that arguments are validated against, as `z.fromJSONSchema` accepts it. */
export function heldPart(schema: unknown): Record<string, unknown> {
  const entries = Object.entries((schema ?? {}) as Record<string, unknown>).filter(([key]) => key in held);
  const part = Object.fromEntries(entries.map(([key, value]) => [key, heldValue(key, value)]));
  // Without `items`, `z.fromJSONSchema` would ignore the limits on an array's length.
  if ([part.type].flat().includes('array') && !part.prefixItems) part.items ??= {};
  return part;
}

function heldValue(key: string, value: unknown): unknown {
  switch (key) {
    case 'properties':
      return Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, heldPart(inner)]));
    case 'items':
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : heldPart(value);
    case 'prefixItems':
    case 'anyOf':
    case 'oneOf':
      return (value as unknown[]).map(heldPart);
    default:
      return value;
  }
}

function about(those: string[], keywords: string[]): Record<string, readonly string[]> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, those]));
}
