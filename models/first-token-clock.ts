import type { ModelDelta } from './model-provider.ts';

/** Hands on the pieces of an answer, and notes when the first one came. */
export interface FirstTokenClock {
  hand(delta: ModelDelta): void;
  /** Milliseconds; null where nothing came. */
  readonly firstTokenMs: number | null;
}

export function startFirstTokenClock(onDelta: ((delta: ModelDelta) => void) | undefined): FirstTokenClock {
  const since = performance.now();
  let first: number | null = null;
  return {
    hand(delta) {
      first ??= performance.now() - since;
      onDelta?.(delta);
    },
    get firstTokenMs() {
      return first === null ? null : Math.round(first);
    },
  };
}
