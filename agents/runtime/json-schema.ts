import { z } from 'zod';
import { AgentError } from './agent-error.ts';

/**
 * The JSON Schema of what a model writes.
 * @throws {AgentError} `InvalidDefinition` if there is none, as for a date or a function.
 */
export function toJsonSchema(schema: z.ZodType): Record<string, unknown> {
  try {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
    return json;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AgentError('InvalidDefinition', `Expected a schema that JSON Schema can express: ${why}`, {
      cause: error,
    });
  }
}
