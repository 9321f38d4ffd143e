import type { z } from 'zod';
import { describeIssues } from '../../../domain/describe-issue.ts';
import { AgentError } from '../agent-error.ts';

/**
 * A value as its schema returns it.
 * @throws {AgentError} `InvalidValue` with a line for each wrong field.
 */
export async function checkValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): Promise<z.output<Schema>> {
  const parsed = await schema.safeParseAsync(value);
  if (parsed.success) return parsed.data;
  throw new AgentError('InvalidValue', `${what} does not fit its schema:\n${describeIssues(parsed.error, value)}`);
}
