type Schema = Record<string, unknown>;

/** What a provider that enforces a schema knows; OpenAI refuses a strict schema with anything else. */
const known = new Set(
  (
    'type properties required additionalProperties items enum const anyOf $ref $defs title description format pattern ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'
  ).split(' '),
);

/**
 * Whether OpenAI takes a JSON Schema as strict: an object in which every property of every object is required, nothing else is
 * allowed, and no keyword is one that it does not enforce.
 */
export function qualifiesAsStrict(schema: Schema): boolean {
  return schema.type === 'object' && schema.anyOf === undefined && isStrict(schema);
}

function isStrict(schema: unknown): boolean {
  if (!isSchema(schema) || !Object.keys(schema).every((keyword) => known.has(keyword))) return false;
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isClosed =
    schema.additionalProperties === false && Object.keys(properties).every((key) => required.includes(key));
  if (schema.type === 'object' && !isClosed) return false;
  const inner = [
    ...Object.values(properties),
    ...(isSchema(schema.$defs) ? Object.values(schema.$defs) : []),
    ...(Array.isArray(schema.anyOf) ? schema.anyOf : []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ];
  return inner.every(isStrict);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
