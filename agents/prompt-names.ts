import { agentDefinitions } from './agent-definition.ts';
import { type DelegateRole, delegateDefinitions } from './delegate-definition.ts';
import { type Role, roles } from './role.ts';

/** What the summarizer is given, for conversations, memories and turns of a chat, and what stands in for the turns that it summarized. */
const ofSummaries = [
  'summarizer',
  'summarizer-task',
  'summarized',
  'memory-summary',
  'memory-summary-task',
  'distiller',
  'distiller-task',
];

/** What a chat is told beside its instructions, where it is without memory. */
const withoutMemory = 'chat-without-memory';

/** What an agent that answers a person, or a chat, is told where a limit is reached. */
const lastCall = 'last-call';

/** What stands around the instructions of an agent of one's own. */
const ofOwnAgents = ['own-agent'];

/** Every prompt, by the name of its file without its ending. */
export const promptNames = [
  ...new Set([...roles.flatMap((role) => promptsOf(role)), ...ofOwnAgents, ...ofSummaries, withoutMemory, lastCall]),
];

/** Who is given a prompt. */
export function rolesOfPrompt(name: string): Array<Role | 'summarizer'> {
  if (ofSummaries.includes(name)) return ['summarizer'];
  if (name === lastCall) return ['chat', ...(Object.keys(delegateDefinitions) as DelegateRole[])];
  if (name === withoutMemory || ofOwnAgents.includes(name)) return ['chat'];
  return roles.filter((role) => promptsOf(role).includes(name));
}

function promptsOf(role: Role): string[] {
  const delegate = Object.hasOwn(delegateDefinitions, role) ? [delegateDefinitions[role as DelegateRole]] : [];
  const all = [agentDefinitions[role], ...delegate];
  return all.flatMap(({ instructions, task }) => (task === undefined ? [instructions] : [instructions, task]));
}
