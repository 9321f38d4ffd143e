import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Refusal } from './refusal.ts';

const mostCharacters = 20_000;
const mostLevels = 12;

/** Keywords that make a look at arguments slow on purpose, or reach beyond the schema. */
const refusedKeywords = [
  'pattern',
  'patternProperties',
  '$ref',
  '$dynamicRef',
  '$id',
  '$anchor',
  '$defs',
  'definitions',
];

/** What every provider takes at the top of a tool's schema; one that refuses it would refuse each request that offers the tool. */
const topKeywords = ['$schema', 'type', 'properties', 'required', 'additionalProperties', 'title', 'description'];

/** What every provider takes as the name of a parameter. */
const parameterName = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

/** What is wrong with the parameters of a made tool. */
export function checkParameters(parameters: Record<string, unknown>): Refusal[] {
  const found: Refusal[] = [];
  const refuse = (reason: string) => found.push({ part: 'parameters', reason });
  const { length } = JSON.stringify(parameters);
  if (length > mostCharacters) refuse(`expected at most ${mostCharacters} characters of JSON, got ${length}`);
  if (parameters.type !== 'object') {
    refuse(`expected a JSON Schema with "type": "object", got ${JSON.stringify(parameters.type)}`);
  }
  const beyond = Object.keys(parameters).filter((key) => !topKeywords.includes(key));
  if (beyond.length) refuse(`expected only ${topKeywords.join(', ')} at the top, got ${beyond.join(', ')}`);
  const { properties, required } = namesOfParameters(parameters);
  const unnamed = properties.filter((name) => !parameterName.test(name));
  if (unnamed.length) refuse(`expected names of letters, digits and "_", got ${JSON.stringify(unnamed)}`);
  const missing = required.filter((name) => !properties.includes(name));
  if (missing.length) refuse(`expected what is "required" among the properties, got ${missing.join(', ')}`);
  const unwanted = found.length ? undefined : findUnwanted(parameters, 1);
  if (unwanted) refuse(unwanted);
  if (found.length) return found;
  try {
    compile(parameters);
  } catch (error) {
    refuse(`it is no JSON Schema: ${(error as Error).message}`);
  }
  return found;
}

/** What is wrong with the arguments of a call; undefined where they fit. */
export function checkArguments(parameters: Record<string, unknown>, given: unknown): string | undefined {
  const validate = compile(parameters);
  if (validate(given)) return undefined;
  return (validate.errors ?? []).map(tell).join('; ');
}

/** The names of the parameters and of those that have to be given. */
export function namesOfParameters({ properties, required }: Record<string, unknown>): {
  properties: string[];
  required: string[];
} {
  return {
    properties: Object.keys((properties ?? {}) as object),
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

/** Each schema by itself, so that nothing of one is known to another; formats are for the reader. */
function compile(parameters: Record<string, unknown>): ValidateFunction {
  const { $schema: _, ...schema } = parameters;
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    validateFormats: false,
    logger: false,
  });
  return ajv.compile(schema);
}

function tell({ instancePath, message, params }: ErrorObject): string {
  const more = 'additionalProperty' in params ? ` "${String(params.additionalProperty)}"` : '';
  return `${instancePath.slice(1).replaceAll('/', '.') || 'arguments'}: ${message}${more}`;
}

function findUnwanted(value: unknown, level: number, isNames = false): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > mostLevels) return `expected at most ${mostLevels} levels, got more`;
  for (const [key, inner] of Object.entries(value)) {
    const isKeyword = !isNames && !Array.isArray(value);
    if (isKeyword && refusedKeywords.includes(key)) return `expected no "${key}"; check that in the code`;
    if (isKeyword && ['enum', 'const', 'default', 'examples'].includes(key)) continue;
    const unwanted = findUnwanted(inner, level + 1, isKeyword && key === 'properties');
    if (unwanted !== undefined) return unwanted;
  }
  return undefined;
}
