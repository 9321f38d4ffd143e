/** Wakes whoever waits for something to happen; a ring while nobody waits is kept for the next wait. */
export interface Bell {
  ring(): void;
  /** Resolves at a ring, after `milliseconds`, or when the signal aborts; true where it was a ring. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<boolean>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(milliseconds, signal) {
      if (!rung && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          signal?.addEventListener('abort', wake, { once: true });
        });
        if (wake) signal?.removeEventListener('abort', wake);
      }
      const wasRung = rung;
      rung = false;
      wake = undefined;
      return wasRung;
    },
  };
}
