import type { z } from 'zod';
import { describeIssue } from '../../../domain/describe-issue.ts';
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
  const complaints = parsed.error.issues.map((issue) => `  ${describeIssue(issue, value)}`);
  throw new AgentError('InvalidValue', `${what} does not fit its schema:\n${complaints.join('\n')}`);
}
