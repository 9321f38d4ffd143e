/** Leases by name; each expires unless it is renewed in time. */
export interface Leases {
  renew(name: string): void;
  isHeld(name: string): boolean;
  end(name: string): void;
  /** How many are remembered: about those held lately, not all that ever were. */
  readonly size: number;
}

/** Creates leases that last `milliseconds` each. */
export function createLeases(milliseconds: number, now: () => number = Date.now): Leases {
  const until = new Map<string, number>();

  /** Leases are kept in the order of their renewal, so the expired ones come first. */
  function forget(): void {
    for (const [name, end] of until) {
      if (end > now()) return;
      until.delete(name);
    }
  }

  return {
    renew(name) {
      until.delete(name);
      until.set(name, now() + milliseconds);
      forget();
    },
    isHeld(name) {
      forget();
      return until.has(name);
    },
    end: (name) => void until.delete(name),
    get size() {
      return until.size;
    },
  };
}
