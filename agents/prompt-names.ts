import { agentDefinitions } from './agent-definition.ts';
import { type Role, roles } from './role.ts';

/** What the summarizer is given, for conversations and for memories, and what stands in for the turns that it summarized. */
const ofSummaries = ['summarizer', 'summarizer-task', 'summarized', 'memory-summary', 'memory-summary-task'];

/** What stands around the instructions of an agent of one's own. */
const ofOwnAgents = ['own-agent'];

/** Every prompt, by the name of its file without its ending. */
export const promptNames = [...new Set([...roles.flatMap((role) => promptsOf(role)), ...ofOwnAgents, ...ofSummaries])];

/** Who is given a prompt. */
export function rolesOfPrompt(name: string): Array<Role | 'summarizer'> {
  if (ofSummaries.includes(name)) return ['summarizer'];
  if (ofOwnAgents.includes(name)) return ['chat'];
  return roles.filter((role) => promptsOf(role).includes(name));
}

function promptsOf(role: Role): string[] {
  const { instructions, task } = agentDefinitions[role];
  return task === undefined ? [instructions] : [instructions, task];
}
