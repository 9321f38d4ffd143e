/** For how long what was found out about a table is taken to be so; other processes write to it too. Milliseconds. */
const trusted = 60_000;

/** An answer about a table that costs as much as a small search to find out, and so is remembered for a minute. */
export interface TrustedAnswer {
  get(): Promise<boolean>;
  /** It has changed: the next one who asks finds it out. */
  forget(): void;
}

export function createTrustedAnswer(findOut: () => Promise<boolean>): TrustedAnswer {
  let known: { at: number; answer: Promise<boolean> } | undefined;

  return {
    get() {
      if (!known || Date.now() - known.at > trusted) {
        known = { at: Date.now(), answer: findOut() };
        known.answer.catch(() => {
          known = undefined; // the next search looks again
        });
      }
      return known.answer;
    },
    forget() {
      known = undefined;
    },
  };
}
