import { z } from 'zod';
import { RequestRefusedError } from '../request-refused-error.ts';

type Schema = Record<string, unknown>;

const schemaSchema = z.record(z.string(), z.unknown());

/** How OpenAI's two protocols describe the schema that an answer must fit. */
export const answerFormatSchema = z.looseObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  schema: schemaSchema,
  strict: z.boolean().nullish(),
});

export const answerSchemaSchema = schemaSchema;

/** The schema in a request of one of OpenAI's protocols; refused if it is declared strict but is not. */
export function readAnswerFormat({ schema, strict }: z.output<typeof answerFormatSchema>): Schema {
  if (strict) visit(schema, 'schema', (one, path) => checkClosed(one, path, true));
  return schema;
}

/** Anthropic enforces every schema, so it rejects open objects and limits that it cannot enforce. */
export function readOutputSchema(schema: Schema): Schema {
  visit(schema, 'output_config.format.schema', (one, path) => {
    checkClosed(one, path, false);
    const unenforced = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'maxItems'].find(
      (key) => key in one,
    );
    if (unenforced) refuse(`${path}: property '${unenforced}' is not supported`);
  });
  return schema;
}

/**
 * Checks that a scripted answer fits the request's schema.
 * @throws {RequestRefusedError} if it does not, since a real model could not have given it.
 */
export function checkFits(text: string, schema: Schema, asked: string): void {
  const parsed = z.fromJSONSchema(schema).safeParse(readJson(text));
  if (parsed.success) return;
  throw new RequestRefusedError(
    'script_answer_does_not_fit',
    `The script (${asked}) answers ${text.slice(0, 200)}, which does not fit the schema of the request: ${z.prettifyError(parsed.error)}`,
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // fits no schema
  }
}

function visit(schema: unknown, path: string, check: (schema: Schema, path: string) => void): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (!Array.isArray(schema) && typeof (schema as Schema).type === 'string') check(schema as Schema, path);
  for (const [key, inner] of Object.entries(schema)) visit(inner, `${path}.${key}`, check);
}

function checkClosed(schema: Schema, path: string, allRequired: boolean): void {
  if (schema.type !== 'object') return;
  if (schema.additionalProperties !== false) refuse(`${path}: 'additionalProperties' is required to be false`);
  const required = new Set(schema.required as string[] | undefined);
  const optional = Object.keys((schema.properties as Schema | undefined) ?? {}).find((key) => !required.has(key));
  if (allRequired && optional)
    refuse(`${path}: 'required' has to include every key in properties. Missing '${optional}'`);
}

function refuse(message: string): never {
  throw new RequestRefusedError('invalid_request', `Invalid schema: ${message}.`);
}
