/** What tells whether an agent gets on: which call, what came of it, and what it can have moved. */
export interface CallTrace {
  /** Of the tool's name and arguments. */
  callHash: string;
  resultHash: string;
  /** Of a command: the same, but for how long something took and the time of day. */
  shownHash?: string;
  /** An earlier call of the same answer is the same: it was asked for before it could know what that brought. */
  repeats?: true;
  /** It changes files or notes. */
  changes?: boolean;
  /** It is a command: one that waits for something, or one that may change anything. */
  command?: 'waits' | 'works';
}

export interface StuckLimits {
  /** The same call with the same result so often in a row; twice happens when a file is read again. */
  sameCalls: number;
  /** Turns without a change of files or notes and without a command that shows something new. */
  idleTurns: number;
}

export const defaultStuckLimits: StuckLimits = { sameCalls: 3, idleTurns: 10 };

/** A server that comes up is asked for a while, so a command that waits may be repeated so many times as often. */
const patience = 5;
/** Calls that are remembered at least, so that a command is known to show what it had shown before. */
const leastRemembered = 40;

/** The traces with the latest ones; what an answer asks for twice counts once. */
export function remember(traces: CallTrace[], latest: CallTrace[], { sameCalls }: StuckLimits): CallTrace[] {
  return [...traces, ...latest.filter(({ repeats }) => !repeats)].slice(
    -Math.max(leastRemembered, sameCalls * patience),
  );
}

/** How often in a row the latest call was made and brought the same, where that is too often; else undefined. */
export function findCircle(traces: CallTrace[], { sameCalls }: StuckLimits): number | undefined {
  const last = traces.at(-1);
  if (!last) return undefined;
  const count = last.command === 'waits' ? sameCalls * patience : sameCalls;
  const latest = traces.slice(-count);
  return latest.length === count && latest.every((trace) => isSame(trace, last)) ? count : undefined;
}

/** True where one of a turn's calls waited for something, or changed or showed something that no earlier one had; the same file written again is neither. */
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
