/** How long an answer about a table is remembered, milliseconds; other processes write to it too. */
const usuallyTrusted = 60_000;

/** A check of a table that costs as much as a small search, so its answer is remembered for a while: a minute where nothing else is said. */
export interface CachedCheck {
  get(): Promise<boolean>;
  /** The table has changed: the next `get` checks again. */
  forget(): void;
}

export function createCachedCheck(
  findOut: () => Promise<boolean>,
  trusted: (answer: boolean) => number = () => usuallyTrusted,
): CachedCheck {
  let known: { until: number; answer: Promise<boolean> } | undefined;

  return {
    get() {
      if (known && Date.now() <= known.until) return known.answer;
      const asked = { until: Number.POSITIVE_INFINITY, answer: findOut() };
      known = asked;
      asked.answer.then(
        (answer) => {
          asked.until = Date.now() + trusted(answer);
        },
        () => {
          if (known === asked) known = undefined; // the next search looks again
        },
      );
      return asked.answer;
    },
    forget() {
      known = undefined;
    },
  };
}
