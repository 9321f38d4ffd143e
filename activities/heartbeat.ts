import { Context } from '@temporalio/activity';

/**
 * A cancel arrives with the answer to a beat, so this is how late it may be; a model's request is to end within a second of it. What is
 * done sooner never beats, which saves the server a call for each short activity.
 */
export const heartbeatMs = 500;

export interface ActivitySignals {
  /** Somebody cancelled: stop what is under way. */
  cancel: AbortSignal;
  /** This worker stops or lost its claim: let go of what is under way, another attempt takes it up. */
  detach: AbortSignal;
}

export interface Heartbeat extends ActivitySignals {
  /** What the next attempt is to find (`info.heartbeatDetails`) should this worker die; ids, for it goes through Temporal. */
  note(details: unknown): void;
}

/** Does the work while the heart beats on a timer, so that the work may be silent for as long as it likes. */
export async function withHeartbeat<Result>(work: (heartbeat: Heartbeat) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const cancel = new AbortController();
  const detach = new AbortController();
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

/** The same activity with a heartbeat, so that its worker's death is noticed long before its time is up. */
export function beating<Input, Output>(work: (input: Input) => Promise<Output>): (input: Input) => Promise<Output> {
  return (input) => withHeartbeat(() => work(input));
}
