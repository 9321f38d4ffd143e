import { test } from '@jest/globals';

/** Defines tests that continue each other's work, e.g. on one project. After one that failed, the others fail at once rather than wait in vain. */
export function createTestsInOrder(): (name: string, work: () => Promise<void>) => void {
  let unfinished: string | undefined;
  return (name, work) =>
    test(name, async () => {
      if (unfinished !== undefined) throw new Error(`Expected "${unfinished}" to pass first: it sets this test up.`);
      unfinished = name;
      await work();
      unfinished = undefined;
    });
}
