import type { Sourced } from '../config/layer.ts';
import { agentDefinitions } from './agent-definition.ts';
import type { Role } from './role.ts';

interface StuckSettings {
  sameCalls?: number;
  idleTurns?: number;
}

/** What a project, the file of settings or whoever starts a run says of its limits. */
interface LimitSettings<Turns> {
  maxTurns?: Turns | undefined;
  stuck?: StuckSettings | undefined;
}

export type TurnsByRole = { [Name in Role]?: number | undefined };

/**
 * Turns that one run of an agent has: its project's for those that do the work, else those of the file, else its definition's; of an
 * agent that a chat delegates to, else half of the chat's.
 */
export function turnLimit(role: Role, project: LimitSettings<number>, file: TurnsByRole): Sourced<number> {
  const { tools, maxTurns } = agentDefinitions[role];
  const works = tools.includes('finish');
  if (works && project.maxTurns !== undefined) return { value: project.maxTurns, source: 'project' };
  const set = file[role];
  if (set !== undefined) return { value: set, source: 'file' };
  return maxTurns === undefined ? delegateTurnLimit(file) : { value: maxTurns, source: 'default' };
}

/** Half of the turns that a chat has for one message. */
export function delegateTurnLimit(file: TurnsByRole): Sourced<number> {
  const { value, source } = turnLimit('chat', {}, file);
  return { value: halfOf(value), source };
}

export function halfOf(limit: number): number {
  return Math.max(1, Math.floor(limit / 2));
}

/** The limits that a run begins with; what the request for it says goes before its project and the file. */
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
