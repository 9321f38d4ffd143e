/** What shows whether an agent makes progress: its call, the result, and what it may have changed. */
export interface CallTrace {
  /** Hash of the tool's name and arguments. */
  callHash: string;
  resultHash: string;
  /** For a command or code: hash of the result without durations and times of day. */
  shownHash?: string;
  /** An earlier call of the same answer is the same: its result could not be known yet. */
  repeats?: true;
  /** It changes files or notes. */
  changes?: boolean;
  /** For a command or code: whether it waits for something, or may change anything. */
  command?: 'waits' | 'works';
}

/** The state of a run between two turns. */
export interface LoopState {
  turn: number;
  traces: CallTrace[];
  /** Consecutive turns without progress. */
  idleTurns?: number;
  /** Whether the agent was already warned about this. */
  warned?: boolean;
}

export interface StuckLimits {
  /** How often in a row the same call with the same result counts as stuck; twice happens when a file is read again. */
  sameCalls: number;
  /** How many turns in a row count as stuck if they change no files or notes and no command shows anything new. */
  idleTurns: number;
}

export const defaultStuckLimits: StuckLimits = { sameCalls: 3, idleTurns: 10 };

/** A server that is starting up is polled for a while, so a command that waits may be repeated this many times as often. */
const waitingFactor = 5;
/** At least this many calls are remembered, so that a command is recognized to show only what it had shown before. */
const minRemembered = 40;

/** Appends the latest traces; a call that an answer repeats counts once. */
export function remember(traces: CallTrace[], latest: CallTrace[], { sameCalls }: StuckLimits): CallTrace[] {
  return [...traces, ...latest.filter(({ repeats }) => !repeats)].slice(
    -Math.max(minRemembered, sameCalls * waitingFactor),
  );
}

/** How often in a row the latest call brought the same result, if that is too often; else undefined. */
export function findLoop(traces: CallTrace[], { sameCalls }: StuckLimits): number | undefined {
  const last = traces.at(-1);
  if (!last) return undefined;
  const count = last.command === 'waits' ? sameCalls * waitingFactor : sameCalls;
  const latest = traces.slice(-count);
  return latest.length === count && latest.every((trace) => isSame(trace, last)) ? count : undefined;
}

/**
 * Whether one of a turn's calls waited for something, or changed or showed something that no earlier one had; writing the same file again does
 * neither.
 */
export function movesOn(earlier: CallTrace[], latest: CallTrace[]): boolean {
  return latest.some(
    (trace) =>
      trace.command === 'waits' ||
      ((trace.changes || trace.command === 'works') && !earlier.some((one) => showsSame(one, trace))),
  );
}

function showsSame(one: CallTrace, other: CallTrace): boolean {
  return one.callHash === other.callHash && (one.shownHash ?? one.resultHash) === (other.shownHash ?? other.resultHash);
}

function isSame(one: CallTrace, other: CallTrace): boolean {
  return one.callHash === other.callHash && one.resultHash === other.resultHash;
}
