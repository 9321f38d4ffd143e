import type { AskedLanding } from '../../activities/session/permit-landing.ts';
import type {
  Claim,
  ClaimedFeature,
  Hold,
  SessionRequest,
  SessionStarted,
  VerifiedWork,
} from '../../domain/project/messages.ts';
import type { Pending } from './requests/pending.ts';

/** A child workflow, to which pauses and resumes are forwarded. */
export interface Child {
  id: string;
  /** It has started and accepts signals. */
  isRunning: boolean;
  /** The value of `holdChanges` when the hold was last forwarded to it. */
  heardChanges: number;
}

export interface Session extends Child {
  number: number;
  /** It is `verified` while its commit waits to land, and `asking` while a person is asked whether it may. */
  phase: 'claiming' | 'working' | 'verified' | 'landing' | 'asking';
  /** The person's request for this session. */
  request?: Pending<SessionRequest, SessionStarted> | undefined;
  /** The hold at the time of the request. */
  askedIn: Hold | null;
  claim?: ClaimedFeature;
  verified?: VerifiedWork;
  /** What a person is asked before its commit lands. */
  asked?: AskedLanding;
}

/** A session in the reason that a person sees; empty before it has a feature. */
export function describeSession({ id, claim, phase, asked }: Session): string[] {
  if (!claim) return [];
  if (phase === 'asking' && asked) return [describeAsked(asked)];
  const what = phase === 'working' ? `workflow \`${id}\`` : phase === 'landing' ? 'landing' : 'waits to land';
  return [`**${claim.feature}**, attempt ${claim.attempt}: ${what}`];
}

function describeAsked({ request, asked }: AskedLanding): string {
  return `${asked} \`longhaul answer ${request} yes\` (or no) answers.`;
}

const unclaimed = {
  'all-passing': 'Every feature passes.',
  busy: 'Another session works on the remaining features.',
  'not-started': 'No session can start.',
} as const;

/** Why a session got no feature. */
export function whyUnclaimed(claim: Exclude<Claim, { kind: 'feature' }>): string {
  return 'reason' in claim ? claim.reason : unclaimed[claim.kind];
}

/** Why a project waits if an unrequested session got no feature and no other session is running. */
export function whyWait(claim: Exclude<Claim, { kind: 'feature' }>, sessionsLeft: number | null): string {
  if (claim.kind !== 'not-started') return `${whyUnclaimed(claim)} \`resume\` gives blocked features new attempts.`;
  return sessionsLeft === 0
    ? 'The session limit is reached. `resume` allows as many sessions again.'
    : 'The requested session has ended. `resume` continues the project.';
}
