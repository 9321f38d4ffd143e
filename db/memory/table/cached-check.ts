/** Milliseconds for which an answer about a table is cached; other processes write to it too. */
const usuallyTrusted = 60_000;

/** A check of a table that costs as much as a small search, so its answer is cached, by default for a minute. */
export interface CachedCheck {
  get(): Promise<boolean>;
  /** To be called when the table has changed: the next `get` checks again. */
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
          if (known === asked) known = undefined; // the next `get` checks again
        },
      );
      return asked.answer;
    },
    forget() {
      known = undefined;
    },
  };
}
