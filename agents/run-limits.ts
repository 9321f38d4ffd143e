import type { Sourced } from '../domain/model/layer.ts';
import type { Role } from '../domain/run/role.ts';
import { agentDefinitions } from './agent-definition.ts';

interface StuckSettings {
  sameCalls?: number;
  idleTurns?: number;
}

/** The limits that a project, the settings file or the request for a run sets. */
interface LimitSettings<Turns> {
  maxTurns?: Turns | undefined;
  stuck?: StuckSettings | undefined;
}

export type TurnsByRole = { [Name in Role]?: number | undefined };

/**
 * Turns for one run of an agent, by precedence: the project's setting (only for agents that do the work), the settings file's, then the agent
 * definition's; without one, for an agent that a chat delegates to, half of the chat's turns.
 */
export function turnLimit(role: Role, project: LimitSettings<number>, file: TurnsByRole): Sourced<number> {
  const { tools, maxTurns } = agentDefinitions[role];
  const works = tools.includes('finish');
  if (works && project.maxTurns !== undefined) return { value: project.maxTurns, source: 'project' };
  const set = file[role];
  if (set !== undefined) return { value: set, source: 'file' };
  return maxTurns === undefined ? delegateTurnLimit(file) : { value: maxTurns, source: 'default' };
}

/** The turns of a delegate: half of those that the chat has per message. */
export function delegateTurnLimit(file: TurnsByRole): Sourced<number> {
  const { value, source } = turnLimit('chat', {}, file);
  return { value: delegateTurns(value), source };
}

/** At least two: one to call tools in, and one to say what they found. */
export function delegateTurns(chatTurns: number): number {
  return Math.max(2, Math.floor(chatTurns / 2));
}

/** The limits that a run starts with; its request takes precedence over its project, and the project over the settings file. */
export function runLimits(
  request: { role: Role } & LimitSettings<number>,
  project: LimitSettings<number>,
  file: LimitSettings<TurnsByRole>,
): { maxTurns: number; stuck: StuckSettings } {
  return {
    maxTurns: request.maxTurns ?? turnLimit(request.role, project, file.maxTurns ?? {}).value,
    stuck: { ...file.stuck, ...project.stuck, ...request.stuck },
  };
}
