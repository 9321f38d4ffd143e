import { createHash } from 'node:crypto';
import type { AgentDeclaration } from '../../../domain/agent-run/declaration.ts';
import { toJsonSchema } from '../json-schema.ts';
import type { Agent } from './define-agent.ts';

/** What other processes need to know of an agent, and the version of its code. */
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
        parameters: toJsonSchema(tool.parameters),
        on,
        hasSideEffects,
        requiresConfirmation,
        ...(on === 'sandbox' && tool.run && { source: String(tool.run) }),
      };
    }),
    ...(output && { output: toJsonSchema(output) }),
  };
  return { version: agent.version ?? versionOf(agent, declaration), declaration };
}

/** A hash of all that is known of its code; what its functions import is not. */
function versionOf({ run, tools }: Agent, declaration: AgentDeclaration): string {
  const sources = [run, ...tools.map((tool) => tool.run)].map(String);
  return createHash('sha256')
    .update(JSON.stringify([declaration, sources]))
    .digest('hex')
    .slice(0, 12);
}
