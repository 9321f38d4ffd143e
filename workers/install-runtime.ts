import { type LogLevel, type LogMetadata, Runtime } from '@temporalio/worker';
import type { Log } from '../domain/telemetry/log.ts';
import type { MetricsSettings } from '../domain/telemetry/settings.ts';
import { metricsEndpoint } from '../temporal/metrics-endpoint.ts';

/**
 * Sets up Temporal's library for this process, before anything else uses it: its messages go to the log, its metrics and Longhaul's to the address.
 * @throws {ConfigurationError} if the address is taken.
 */
export async function installRuntime(log: Log, metrics: MetricsSettings): Promise<void> {
  const endpoint = await metricsEndpoint(metrics);
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
      ...endpoint,
    },
  });
}
