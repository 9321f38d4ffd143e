import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import nycTestCoverage from '@temporalio/nyc-test-coverage';
import type { BundleOptions, WorkerOptions } from '@temporalio/worker';

interface FileCounts {
  s: Record<string, number>;
}

/** Where `npm test -- --coverage` collects the counts of workflow code, which runs in a context that jest does not see. */
const folder = process.env.LONGHAUL_TEST_COVERAGE;
const counts = new Map<string, FileCounts>();

// The package takes part only where istanbul's global exists.
if (folder !== undefined) (globalThis as { __coverage__?: object }).__coverage__ ??= {};
const coverage = new nycTestCoverage.WorkflowCoverage();

/** The interceptor of the bundle calls it with the counts of each activation; they are added up, since a copy of each would fill the memory. */
const sinks: NonNullable<WorkerOptions['sinks']> = {
  coverage: {
    merge: {
      callDuringReplay: false,
      fn(_workflow: unknown, activation: Record<string, FileCounts>) {
        for (const [path, file] of Object.entries(activation)) {
          const before = counts.get(path);
          if (!before) counts.set(path, file);
          else for (const [id, times] of Object.entries(file.s)) before.s[id] = (before.s[id] ?? 0) + times;
        }
      },
    },
  },
};

export function withCoverage(options: BundleOptions & { workflowsPath: string }): BundleOptions {
  return folder === undefined ? options : coverage.augmentBundleOptions(options);
}

/** What a worker in a test's process needs for its workflow code to count. */
export const coverageSinks = folder === undefined ? {} : { sinks };

if (folder !== undefined) {
  afterAll(() => {
    if (counts.size === 0) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `workflows-${randomUUID()}.json`), JSON.stringify(Object.fromEntries(counts)));
  });
}
