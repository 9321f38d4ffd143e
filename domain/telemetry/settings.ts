import type { LogFormat, LogLevel } from './log.ts';
import type { TraceSink } from './span.ts';

/** Where traces go; nowhere without an endpoint and sinks. */
export interface TracingSettings {
  /** The whole address for OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`. */
  endpoint?: string;
  /** Sent with each request to the endpoint. */
  headers: Record<string, string>;
  serviceName: string;
  contents: boolean;
  sinks: readonly TraceSink[];
}

export interface MetricsSettings {
  /** `host:port` that Prometheus asks; there are no metrics without it. */
  address?: string;
}

export interface LoggingSettings {
  level: LogLevel;
  format: LogFormat;
}
