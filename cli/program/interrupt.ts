import type { CommandContext } from './command-context.ts';

/** Ctrl-C and SIGTERM as an abort signal, handled only once a command needs it. */
export interface Interrupt {
  /** From its first call on, they abort this signal instead of ending the process; a second one ends the process. */
  signal(): AbortSignal;
  readonly happened: boolean;
  release(): void;
}

const names = ['SIGINT', 'SIGTERM'] as const;

export function createInterrupt(): Interrupt {
  const controller = new AbortController();
  let listening = false;
  const listener = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Error('interrupted'));
  };
  return {
    signal() {
      if (!listening) for (const name of names) process.on(name, listener);
      listening = true;
      return controller.signal;
    },
    get happened() {
      return controller.signal.aborted;
    },
    release() {
      for (const name of names) process.off(name, listener);
      listening = false;
    },
  };
}

/** A person interrupted a command; the message says what state that leaves. */
export class InterruptedError extends Error {
  override name = 'InterruptedError';
}

/**
 * Waits for an answer unless Ctrl-C comes first; `standing` says what becomes of the request then.
 * @throws {InterruptedError} at Ctrl-C.
 */
export async function untilInterrupted<Answer>(
  context: CommandContext,
  asked: Promise<Answer>,
  standing: string,
): Promise<Answer> {
  const signal = context.interruptSignal();
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new InterruptedError(standing)), { once: true });
  });
  return Promise.race([asked, interrupted]);
}
