import { agentDefinitions } from './agent-definition.ts';
import { type Role, roles } from './role.ts';

/** Every prompt, by the name of its file without its ending. */
export const promptNames = [...new Set(roles.flatMap((role) => promptsOf(role)))];

/** The agents that a prompt is given to. */
export function rolesOfPrompt(name: string): Role[] {
  return roles.filter((role) => promptsOf(role).includes(name));
}

function promptsOf(role: Role): string[] {
  return [agentDefinitions[role].instructions, agentDefinitions[role].task];
}
