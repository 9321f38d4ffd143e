import { createServer } from 'node:net';
import { type LogLevel, type LogMetadata, Runtime } from '@temporalio/worker';
import { ConfigurationError } from '../domain/configuration-error.ts';
import type { Log } from '../domain/telemetry/log.ts';
import type { MetricsSettings } from '../domain/telemetry/settings.ts';

/** Bounds between which calls are counted: dollars, and milliseconds up to ten minutes. */
const buckets = {
  longhaul_model_cost_usd: [0.0001, 0.001, 0.01, 0.1, 1, 10],
  longhaul_model_call_duration_ms: [100, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000],
};

/**
 * Sets up Temporal's library for this process, before anything else uses it: its messages go to the log, its metrics and Longhaul's to the address.
 * @throws {ConfigurationError} if the address is taken.
 */
export async function installRuntime(log: Log, { address }: MetricsSettings): Promise<void> {
  if (address !== undefined) await expectFree(address);
  const write = (level: keyof Log) => (message: string, fields?: LogMetadata) => log[level](message, fields);
  const [trace, debug, info, warn, error] = [
    write('debug'),
    write('debug'),
    write('info'),
    write('warn'),
    write('error'),
  ];
  const byLevel = { TRACE: trace, DEBUG: debug, INFO: info, WARN: warn, ERROR: error };
  Runtime.install({
    logger: { trace, debug, info, warn, error, log: (level: LogLevel, ...rest) => byLevel[level](...rest) },
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(address !== undefined && {
        metrics: {
          prometheus: { bindAddress: address, countersTotalSuffix: true, histogramBucketOverrides: buckets },
        },
      }),
    },
  });
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
      `Expected to serve metrics at ${address}, but it is not free (${(cause as Error).message}). Name another one in LONGHAUL_METRICS or metrics.address; each worker of a machine needs its own.`,
      { cause },
    );
  }
  await new Promise((resolve) => server.close(resolve));
}
