/** What is held for a while by a name, and again and again for as long as somebody wants it. */
export interface Leases {
  renew(name: string): void;
  isHeld(name: string): boolean;
  end(name: string): void;
  /** Those that are remembered; they are as many as were held lately, not as ever were. */
  readonly size: number;
}

/** Leases of so many milliseconds each. */
export function createLeases(milliseconds: number, now: () => number = Date.now): Leases {
  const until = new Map<string, number>();

  /** Leases are in the order of their renewal, so the expired ones come first. */
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
