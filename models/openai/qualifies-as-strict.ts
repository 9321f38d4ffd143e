type Schema = Record<string, unknown>;

/** Keywords that providers enforce; OpenAI refuses a strict schema with any other. */
const known = new Set(
  (
    'type properties required additionalProperties items enum const anyOf $ref $defs title description format pattern ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'
  ).split(' '),
);

/**
 * Whether OpenAI accepts a JSON Schema as strict: an object in which every property of every object is required, nothing else is allowed, and every
 * keyword is one that OpenAI enforces.
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
