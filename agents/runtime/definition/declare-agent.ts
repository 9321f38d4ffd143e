import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AgentDeclaration } from '../../../domain/agent-run/declaration.ts';
import { AgentError } from '../agent-error.ts';
import { schemaOf } from '../tools/tool-registry.ts';
import type { Agent } from './define-agent.ts';

/**
 * What other processes need to know of an agent, and the version of its code.
 * @throws {AgentError} `InvalidDefinition` if a schema cannot be written as JSON Schema.
 */
export function declareAgent(agent: Agent): { version: string; declaration: AgentDeclaration } {
  const { description, instructions, model, tools, limits, output } = agent;
  const declaration: AgentDeclaration = {
    ...{ description, instructions, limits },
    ...(model !== undefined && { model }),
    ...(agent.codeMode && { codeMode: true }),
    tools: tools.map((tool) => {
      const { name, on, hasSideEffects, requiresConfirmation } = tool;
      return {
        name,
        description: tool.description,
        parameters: schemaOf(tool),
        on,
        hasSideEffects,
        requiresConfirmation,
        ...(on === 'sandbox' && tool.run && { source: String(tool.run) }),
      };
    }),
    ...(output && { output: outputSchemaOf(agent.key, output) }),
  };
  return { version: agent.version ?? versionOf(agent, declaration), declaration };
}

function outputSchemaOf(key: string, output: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' });
  if (schema.type === 'object') return schema;
  throw new AgentError(
    'InvalidDefinition',
    `Agent "${key}": expected its output to be an object, such as z.object({ ... }).`,
  );
}

/** A hash of all that is known of its code; what its functions import is not. */
function versionOf({ run, tools }: Agent, declaration: AgentDeclaration): string {
  const sources = [run, ...tools.map((tool) => tool.run)].map(String);
  return createHash('sha256')
    .update(JSON.stringify([declaration, sources]))
    .digest('hex')
    .slice(0, 12);
}
