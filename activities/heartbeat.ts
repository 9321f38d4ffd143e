import { setMaxListeners } from 'node:events';
import { Context } from '@temporalio/activity';

/**
 * Milliseconds between heartbeats. A cancellation arrives with the reply to a heartbeat, so this is how late it may be; a model's request has to end
 * within a second of it. What finishes sooner sends no heartbeat, which saves the server a call for each short activity.
 */
export const heartbeatMs = 500;

export interface ActivitySignals {
  /** Somebody cancelled: stop the work in progress. */
  cancel: AbortSignal;
  /** This worker stops or lost its claim: abandon the work in progress, which another attempt takes up. */
  detach: AbortSignal;
}

export interface Heartbeat extends ActivitySignals {
  /** Sets what the next attempt finds in `info.heartbeatDetails` if this worker dies; ids only, since Temporal stores it. */
  note(details: unknown): void;
}

/** Does the work while a timer sends heartbeats, so that the work may be silent for any length of time. */
export async function withHeartbeat<Result>(work: (heartbeat: Heartbeat) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const cancel = new AbortController();
  const detach = new AbortController();
  setMaxListeners(0, cancel.signal, detach.signal); // whatever the work begins listens
  let noted: unknown;
  const beat = setInterval(() => context.heartbeat(noted), heartbeatMs);
  context.cancelled.catch((reason: unknown) => {
    (context.cancellationDetails?.cancelRequested ? cancel : detach).abort(reason);
  });
  try {
    return await work({
      cancel: cancel.signal,
      detach: detach.signal,
      note(details) {
        noted = details;
      },
    });
  } finally {
    clearInterval(beat);
  }
}

/** Wraps an activity with a heartbeat, so that its worker's death is noticed long before its timeout. */
export function beating<Input, Output>(work: (input: Input) => Promise<Output>): (input: Input) => Promise<Output> {
  return (input) => withHeartbeat(() => work(input));
}
