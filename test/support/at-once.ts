import { test } from '@jest/globals';

/** Tests that all begin at once, since each has a project of its own and mostly waits. `test.concurrent` would forbid imports while they run. */
export interface TestsAtOnce {
  test(name: string, work: () => Promise<void>): void;
  /** Runs the work of all tests; to be awaited at the end of `beforeAll`. */
  run(): Promise<void>;
}

export function createTestsAtOnce(): TestsAtOnce {
  const works = new Map<string, () => Promise<void>>();
  const outcomes = new Map<string, Promise<void>>();
  return {
    test(name, work) {
      works.set(name, work);
      test(name, async () => {
        if (!outcomes.has(name)) throw new Error('Expected the work to have begun, at the end of beforeAll.');
        await outcomes.get(name);
      });
    },
    async run() {
      for (const [name, work] of works) outcomes.set(name, work());
      await Promise.allSettled(outcomes.values());
    },
  };
}
