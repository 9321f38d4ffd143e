import { z } from 'zod';
import { describeMisfit, isSchema } from '../../domain/describe-issue.ts';
import { AgentError } from './agent-error.ts';
import { toJsonSchema } from './json-schema.ts';

/**
 * Checks options, for programs that no compiler checked.
 * @throws {AgentError} `InvalidDefinition` with a line for each wrong option, after `problem`, such as `The step "a" cannot be defined`.
 */
export function checkOptions(problem: string, schema: z.ZodType, options: unknown): void {
  const misfit = describeMisfit(schema, options);
  if (misfit !== undefined) throw new AgentError('InvalidDefinition', `${problem}:\n${misfit}`);
}

export const functionOption = z.custom((value) => typeof value === 'function', { error: 'expected a function' });

export const schemaOption = z.custom((value) => isSchema(value), {
  error: 'expected a schema of zod 4, such as z.object({ ... })',
});

/** A schema of an object that a model writes. */
export const objectSchemaOption = schemaOption.superRefine((schema, context) => {
  const problem = isSchema(schema) ? findProblem(schema) : undefined;
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

function findProblem(schema: z.ZodType): string | undefined {
  try {
    const describesObject = toJsonSchema(schema).type === 'object';
    return describesObject ? undefined : 'expected a schema of an object, such as z.object({ ... })';
  } catch (error) {
    if (error instanceof AgentError) return error.message;
    throw error;
  }
}
