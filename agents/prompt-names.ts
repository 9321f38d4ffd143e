import { type Role, roles } from '../domain/run/role.ts';
import { agentDefinitions, type DelegateRole, delegateDefinitions } from './agent-definition.ts';

/** The prompts of the summarizer, for conversations, memories and a chat's turns, and the text that stands in for summarized turns. */
const ofSummaries = [
  'summarizer',
  'summarizer-task',
  'summarized',
  'memory-summary',
  'memory-summary-task',
  'memory-extraction',
  'memory-extraction-task',
];

/** Added to the instructions of a chat without memory. */
const withoutMemory = 'chat-without-memory';
/** Added to those of a chat that works on a copy of a folder. */
const withFolder = 'chat-with-folder';

/** Said to an agent that answers a person or a chat at a limit, in a loop, and after a cut-off answer. */
const ofAnswers = ['last-call', 'stuck-in-chat', 'go-on'];

/** Told to an agent of a project that makes no progress. */
const stuck = 'stuck';

/** Added to the instructions of every agent: what is not an instruction. */
export const materialPrompt = 'material';

/** Added to the instructions of agents that work in a repository, and of all that have skills. */
const ofWorkspaces = ['standing-instructions', 'skills'];

/** The frame around the instructions of a user-defined agent. */
const ofOwnAgents = ['own-agent'];

/** For the judge of `evaluate`, which has no part in runs. */
const ofEvaluations = ['judge', 'judge-task'];

/** Every prompt, by its file name without the extension. */
export const promptNames = [
  ...new Set([
    ...roles.flatMap((role) => promptsOf(role)),
    ...[
      ...ofOwnAgents,
      ...ofSummaries,
      ...ofAnswers,
      ...ofWorkspaces,
      withoutMemory,
      withFolder,
      stuck,
      ...ofEvaluations,
      materialPrompt,
    ],
  ]),
];

/** The roles that get a prompt. */
export function rolesOfPrompt(name: string): Array<Role | 'summarizer'> {
  if (ofSummaries.includes(name)) return ['summarizer'];
  if (name === materialPrompt) return [...roles, 'summarizer'];
  if (ofWorkspaces.includes(name)) return [...roles];
  if (name === stuck) return roles.filter((role) => !agentDefinitions[role].answersInWords);
  if (ofAnswers.includes(name)) return ['chat', ...(Object.keys(delegateDefinitions) as DelegateRole[])];
  if (name === withoutMemory || name === withFolder || ofOwnAgents.includes(name)) return ['chat'];
  return roles.filter((role) => promptsOf(role).includes(name));
}

function promptsOf(role: Role): string[] {
  const delegate = Object.hasOwn(delegateDefinitions, role) ? [delegateDefinitions[role as DelegateRole]] : [];
  const all = [agentDefinitions[role], ...delegate];
  return all.flatMap(({ instructions, task }) => (task === undefined ? [instructions] : [instructions, task]));
}
