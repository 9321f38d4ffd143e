/** What tells whether an agent goes in a circle: which call, and what came of it. */
export interface CallTrace {
  /** Of the tool's name and arguments. */
  callHash: string;
  resultHash: string;
}

/** Three times the same call with the same result is a circle; twice happens when a file is read again. */
const repetitions = 3;

/** As many traces as `isRepeating` looks at. */
export function remember(traces: CallTrace[], latest: CallTrace[]): CallTrace[] {
  return [...traces, ...latest].slice(-repetitions);
}

/** True where the latest calls were one and the same and brought the same each time. */
export function isRepeating(traces: CallTrace[]): boolean {
  const [first] = traces;
  if (!first || traces.length < repetitions) return false;
  return traces.every((trace) => trace.callHash === first.callHash && trace.resultHash === first.resultHash);
}
