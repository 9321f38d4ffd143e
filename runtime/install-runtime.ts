import { DefaultLogger, Runtime } from '@temporalio/worker';
import { ConfigurationError } from '../domain/configuration-error.ts';
import type { MetricsSettings } from '../domain/telemetry/settings.ts';
import { metricsEndpoint } from '../temporal/metrics-endpoint.ts';

let isInstalled = false;

/**
 * Sets up Temporal's library for a program of a user, unless that did: it shows only errors, since Temporal's SDK logs each worker's life, and serves
 * metrics where they are asked for. Signals are the program's: Temporal's own handling would end only its workers, and the program would stay.
 * @throws {ConfigurationError} if metrics can't be served.
 */
export async function installRuntime(metrics: MetricsSettings = {}): Promise<void> {
  if (isInstalled && metrics.address === undefined) return;
  const telemetryOptions = await metricsEndpoint(metrics);
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions, shutdownSignals: [] });
    isInstalled = true;
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'IllegalStateError') throw cause;
    if (metrics.address === undefined) return; // the program has installed its own
    throw new ConfigurationError(
      `Expected to serve metrics at ${metrics.address}, but this program has set up Temporal's runtime already. Give it a Prometheus endpoint there, or leave out \`metrics\`.`,
      { cause },
    );
  }
}
