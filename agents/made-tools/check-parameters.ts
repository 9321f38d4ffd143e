import { z } from 'zod';
import type { Refusal } from '../../domain/tool/refusal.ts';
import { heldPart, parameterSchema } from './parameter-schema.ts';

const maxCharacters = 20_000;
const maxLevels = 12;
/** Alternatives for a value; validation tries all of them at every place. */
const maxAlternatives = 64;

/** Keywords that every provider accepts at the top of a tool's schema. A provider that rejects one would reject every request offering the tool. */
const topKeywords = ['$schema', 'type', 'properties', 'required', 'additionalProperties', 'title', 'description'];

/** Parameter names that every provider accepts. */
const parameterName = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

/** Levels of nesting in arguments; deeper values would overflow the stack of recursive code. */
const maxLevelsGiven = 100;
/** Complaints about arguments that are passed on to a model. */
const maxComplaints = 10;

/** What is wrong with the parameters of a made tool. */
export function checkParameters(parameters: Record<string, unknown>): Refusal[] {
  const found: Refusal[] = [];
  const refuse = (reason: string) => found.push({ part: 'parameters', reason });
  if (isDeeper(parameters, maxLevels)) {
    refuse(`expected at most ${maxLevels} levels, got more`);
    return found;
  }
  const { length } = JSON.stringify(parameters);
  if (length > maxCharacters) refuse(`expected at most ${maxCharacters} characters of JSON, got ${length}`);
  if (parameters.type !== 'object') {
    refuse(`expected a JSON Schema with "type": "object", got ${JSON.stringify(parameters.type)}`);
  }
  const beyond = Object.keys(parameters).filter((key) => !topKeywords.includes(key));
  if (beyond.length) refuse(`expected only ${topKeywords.join(', ')} at the top, got ${beyond.join(', ')}`);
  const { properties } = namesOfParameters(parameters);
  const unnamed = properties.filter((name) => !parameterName.test(name));
  if (unnamed.length) refuse(`expected names of letters, digits and "_", got ${JSON.stringify(unnamed)}`);
  if (found.length) return found;
  const { error } = parameterSchema.safeParse(parameters, { jitless: true });
  for (const issue of error?.issues.slice(0, maxComplaints) ?? []) refuse(describeSchemaIssue(issue));
  const alternatives = countAlternatives(parameters);
  if (alternatives > maxAlternatives) {
    refuse(
      `expected at most ${maxAlternatives} alternatives ("anyOf", "oneOf", an "enum" of numbers), got ${alternatives}`,
    );
  }
  return found;
}

/** What is wrong with the arguments of a call; undefined if they fit. The schema is interpreted, never compiled to code. */
export function checkArguments(parameters: Record<string, unknown>, given: unknown): string | undefined {
  if (isDeeper(given, maxLevelsGiven)) return `arguments: expected at most ${maxLevelsGiven} levels, got more`;
  const schema = z.fromJSONSchema(heldPart(parameters), { registry: z.registry() });
  const issues = schema.safeParse(given, { jitless: true }).error?.issues ?? [];
  if (!issues.length) return undefined;
  const listed = issues.slice(0, maxComplaints).map((issue) => `${placeOf(issue) || 'arguments'}: ${issue.message}`);
  const more = issues.length > listed.length ? [`and ${issues.length - listed.length} more`] : [];
  return [...listed, ...more].join('; ');
}

/** The names of all parameters and of the required ones. */
export function namesOfParameters({ properties, required }: Record<string, unknown>): {
  properties: string[];
  required: string[];
} {
  return {
    properties: Object.keys((properties ?? {}) as object),
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

function describeSchemaIssue(issue: z.core.$ZodIssue): string {
  const at = placeOf(issue);
  const place = at ? `${at}: ` : '';
  if (issue.code === 'unrecognized_keys') {
    return `${place}expected no ${issue.keys.map((key) => `"${key}"`).join(', ')}; check this in the code instead`;
  }
  return `${place}${issue.message}`;
}

function placeOf({ path }: z.core.$ZodIssue): string {
  return path.map(String).join('.');
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function countAlternatives(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const { anyOf, oneOf, enum: values } = value as Record<string, unknown>;
  const numbers = Array.isArray(values) && values.some((one) => typeof one !== 'string') ? values : [];
  const own = [anyOf, oneOf, numbers].reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0);
  return Object.values(value).reduce<number>((sum, inner) => sum + countAlternatives(inner), own);
}
