import type { Hold, ProjectView } from '../../domain/project/messages.ts';
import type { ProjectStatus } from '../../domain/project/statuses.ts';
import { describeSession, type Session } from './session.ts';

export interface View {
  status: ProjectStatus;
  reason: string;
}

/** How a project ends, or ended. */
export interface ProjectEnd {
  status: 'COMPLETED' | 'ABANDONED' | 'FAILED';
  reason: string;
}

/** The part of a project's state that a person sees. */
interface Visible {
  ending: ProjectEnd | undefined;
  ended: (ProjectEnd & { hold: Hold }) | undefined;
  hold: Hold | null;
  planning: 'due' | 'running' | 'done';
  sessions: { all: readonly Session[] };
  /** Nothing but a person's answer lets it go on. */
  onlyAsks: boolean;
  started: number;
}

/** What a person sees of a project; `hasProposal`: its features were given, so that none need be planned. */
export function viewOf({ ending, ended, hold, planning, sessions, onlyAsks }: Visible, hasProposal: boolean): View {
  if (ending) return ending;
  if (ended && hold === ended.hold) return ended;
  if (hold) return { status: hold.kind === 'paused' ? 'PAUSED' : 'WAITING', reason: hold.reason };
  if (planning !== 'done') {
    return {
      status: 'INITIALIZING',
      reason: hasProposal ? 'Applying the given features' : 'The initializer is planning',
    };
  }
  const described = sessions.all.flatMap(describeSession);
  if (onlyAsks) return { status: 'WAITING', reason: described.join('\n\n') };
  return { status: 'ACTIVE', reason: described.join('\n\n') || 'Choosing the next feature' };
}

/** What the `status` query answers. */
export function answerOf(state: Visible, view: View): ProjectView {
  const sessions = state.sessions.all.flatMap(({ id, claim }) =>
    claim ? [{ id, feature: claim.feature, attempt: claim.attempt }] : [],
  );
  return { ...view, sessions, started: state.started };
}
