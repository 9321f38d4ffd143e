import { ConfigurationError } from '../../domain/configuration-error.ts';
import type { LogFormat, LogLevel } from '../../domain/telemetry/log.ts';
import type { LoggingSettings, MetricsSettings, TracingSettings } from '../../domain/telemetry/settings.ts';
import type { LonghaulConfig } from '../define-config.ts';
import { present } from '../environment.ts';

/** The variables about tracing that Longhaul reads; the first ones are OpenTelemetry's own. */
export interface TelemetryVariables {
  OTEL_SDK_DISABLED?: string | undefined;
  OTEL_TRACES_EXPORTER?: string | undefined;
  OTEL_SERVICE_NAME?: string | undefined;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_HEADERS?: string | undefined;
  LONGHAUL_TRACE_CONTENTS?: 'on' | 'off' | undefined;
  LONGHAUL_METRICS?: string | undefined;
  LONGHAUL_LOG_LEVEL?: LogLevel | undefined;
  LONGHAUL_LOG_FORMAT?: LogFormat | undefined;
}

/**
 * Reads where traces go. Headers of the file, which may be keys, are only sent to the endpoint of the file.
 * @throws {ConfigurationError}
 */
export function readTracingSettings(
  variables: TelemetryVariables,
  { endpoint: ofFile, headers = {}, contents = false, sinks = [] }: NonNullable<LonghaulConfig['tracing']> = {},
): TracingSettings {
  const off = variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || variables.OTEL_TRACES_EXPORTER === 'none';
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = variables;
  const ofEnvironment = whole ?? (base && tracesOf(base));
  const endpoint = ofEnvironment ?? (ofFile && tracesOf(ofFile));
  if (endpoint !== undefined && !isHttp(endpoint)) {
    const name = whole ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
    throw new ConfigurationError(
      `Expected ${name} to be an address such as http://127.0.0.1:4318, got "${whole ?? base}".`,
    );
  }
  return {
    ...present('endpoint', off ? undefined : endpoint),
    headers: {
      ...(ofEnvironment === undefined && headers),
      ...readHeaders('OTEL_EXPORTER_OTLP_HEADERS', variables),
      ...readHeaders('OTEL_EXPORTER_OTLP_TRACES_HEADERS', variables),
    },
    serviceName: variables.OTEL_SERVICE_NAME ?? 'longhaul',
    contents: variables.LONGHAUL_TRACE_CONTENTS ? variables.LONGHAUL_TRACE_CONTENTS === 'on' : contents,
    sinks: off ? [] : sinks,
  };
}

/** An address that is none is left as it is, for the complaint. */
function tracesOf(base: string): string {
  return `${base.replace(/\/+$/, '')}/v1/traces`;
}

export function isHttp(address: string): boolean {
  return /^https?:\/\//.test(address) && URL.canParse(address);
}

type HeaderVariable = 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_EXPORTER_OTLP_TRACES_HEADERS';

/** `name=value,name=value`, each percent-encoded: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
function readHeaders(name: HeaderVariable, variables: TelemetryVariables): Record<string, string> {
  const entries = (variables[name] ?? '').split(',').filter((entry) => entry.trim());
  return Object.fromEntries(
    entries.map((entry, index) => {
      const [, header, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(entry) ?? [];
      if (header === undefined || value === undefined) {
        throw new ConfigurationError(
          `Expected ${name} to be headers such as "authorization=Basic%20...,x-other=value"; entry ${index + 1} is not.`, // it may be a key
        );
      }
      return [header, decoded(value)];
    }),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // a percent sign that encodes nothing
  }
}

export const metricsExpected = 'expected a port from 1 to 65535, or a host and a port such as 127.0.0.1:9464';

/** Whether it is a port or `host:port`. */
export function isMetricsAddress(address: unknown): boolean {
  const [, port] = /^(?:(?:[\w.-]+|\[[\da-f:]+\]):)?(\d{1,5})$/i.exec(String(address)) ?? [];
  return Number(port) >= 1 && Number(port) <= 65_535;
}

/** A port alone is one of the loopback interface. */
export function readMetricsSettings(
  { LONGHAUL_METRICS }: TelemetryVariables,
  { address: ofFile }: NonNullable<LonghaulConfig['metrics']> = {},
): MetricsSettings {
  const address = LONGHAUL_METRICS ?? (ofFile === undefined ? undefined : String(ofFile));
  return present('address', address && /^\d+$/.test(address) ? `127.0.0.1:${address}` : address);
}

export function readLoggingSettings(
  { LONGHAUL_LOG_LEVEL, LONGHAUL_LOG_FORMAT }: TelemetryVariables,
  { level = 'info', format = 'text' }: NonNullable<LonghaulConfig['logging']> = {},
): LoggingSettings {
  return { level: LONGHAUL_LOG_LEVEL ?? level, format: LONGHAUL_LOG_FORMAT ?? format };
}
