import type { TestWorker, TestWorkerOptions } from './create-test-worker.ts';

/**
 * Runs a worker in this process, with real Temporal and Postgres servers and the sandboxes given.
 * @throws {ConfigurationError} if the environment or its `longhaul.config.ts` is invalid.
 */
export async function createTestWorker(options: TestWorkerOptions): Promise<TestWorker> {
  const { createTestWorker: create } = await import('./create-test-worker.ts'); // Temporal's worker takes a second to load
  return create(options);
}
