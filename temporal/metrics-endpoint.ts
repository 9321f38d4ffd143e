import { createServer } from 'node:net';
import type { TelemetryOptions } from '@temporalio/worker';
import { ConfigurationError } from '../domain/configuration-error.ts';
import type { MetricsSettings } from '../domain/telemetry/settings.ts';

/** Bounds between which calls are counted: dollars, and milliseconds up to ten minutes. */
const buckets = {
  longhaul_model_cost_usd: [0.0001, 0.001, 0.01, 0.1, 1, 10],
  longhaul_model_call_duration_ms: [100, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000],
};

/**
 * Options of Temporal's runtime with which this process serves metrics at the address; none without one.
 * @throws {ConfigurationError} if the address is taken.
 */
export async function metricsEndpoint({ address }: MetricsSettings): Promise<Pick<TelemetryOptions, 'metrics'>> {
  if (address === undefined) return {};
  await expectFree(address);
  return {
    metrics: { prometheus: { bindAddress: address, countersTotalSuffix: true, histogramBucketOverrides: buckets } },
  };
}

/** Temporal's library only logs that it can't listen, and goes on without metrics. */
async function expectFree(address: string): Promise<void> {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host, port: Number(port) }, resolve);
    });
  } catch (cause) {
    throw new ConfigurationError(
      `Expected to serve metrics at ${address}, but it is not free (${(cause as Error).message}). Name another one: LONGHAUL_METRICS or metrics.address for a worker, \`--metrics\` or \`metrics\` for a program with agents. Each process of a machine needs its own.`,
      { cause },
    );
  }
  await new Promise((resolve) => server.close(resolve));
}
