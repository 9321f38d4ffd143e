import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../../config/configuration.ts';
import type { LonghaulConfig } from '../../../config/define-config.ts';

const read = (environment: Record<string, string>, config: LonghaulConfig = {}) =>
  readConfiguration(environment, { path: '/data/longhaul.config.ts', config });

test('traces and metrics go nowhere and the log is for people, unless a setting says otherwise', () => {
  const { tracing, metrics, logging } = read({});
  expect({ tracing, metrics, logging }).toEqual({
    tracing: { headers: {}, serviceName: 'longhaul', contents: false, sinks: [] },
    metrics: {},
    logging: { level: 'info', format: 'text' },
  });
});

test('the variables of OpenTelemetry name the endpoint, its headers and the service', () => {
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
  expect(read(base).tracing.endpoint).toBe('http://127.0.0.1:4318/v1/traces');
  const whole = { ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.org/mine' };
  expect(read(whole).tracing.endpoint).toBe('https://traces.example.org/mine');
  expect(
    read({
      ...base,
      OTEL_SERVICE_NAME: 'mine',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20cGs6c2s=, x-team = blue',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=red,x-share=100%',
    }).tracing,
  ).toMatchObject({
    headers: { Authorization: 'Basic cGs6c2s=', 'x-team': 'red', 'x-share': '100%' },
    serviceName: 'mine',
  });
});

test('headers of the file, which may be keys, are not sent to an endpoint of the environment', () => {
  const tracing = { endpoint: 'https://file.example.org', headers: { authorization: 'Basic mine' }, contents: true };
  expect(read({}, { tracing }).tracing).toMatchObject({
    endpoint: 'https://file.example.org/v1/traces',
    headers: { authorization: 'Basic mine' },
    contents: true,
  });
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other.example.org', LONGHAUL_TRACE_CONTENTS: 'off' };
  expect(read(environment, { tracing }).tracing).toMatchObject({
    endpoint: 'http://other.example.org/v1/traces',
    headers: {},
    contents: false,
  });
});

test.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])('%j turns tracing off', (environment) => {
  const tracing = { endpoint: 'https://file.example.org', sinks: [{ onSpan() {} }] };
  const { endpoint, sinks } = read(environment as Record<string, string>, { tracing }).tracing;
  expect({ endpoint, sinks }).toEqual({ endpoint: undefined, sinks: [] });
});

test('a port alone is one of the loopback interface', () => {
  expect(read({ LONGHAUL_METRICS: '9464' }).metrics).toEqual({ address: '127.0.0.1:9464' });
  expect(read({}, { metrics: { address: 9464 } }).metrics).toEqual({ address: '127.0.0.1:9464' });
  expect(read({ LONGHAUL_METRICS: '0.0.0.0:9000' }, { metrics: { address: 9464 } }).metrics).toEqual({
    address: '0.0.0.0:9000',
  });
});

test('variables about the log take precedence over the file', () => {
  const logging = { level: 'debug', format: 'json' } as const;
  expect(read({}, { logging }).logging).toEqual(logging);
  expect(read({ LONGHAUL_LOG_LEVEL: 'error' }, { logging }).logging).toEqual({ level: 'error', format: 'json' });
});

test.each([
  [
    { LONGHAUL_METRICS: 'loud' },
    'LONGHAUL_METRICS: expected a port from 1 to 65535, or a host and a port such as 127.0.0.1:9464, got "loud"',
  ],
  [{ LONGHAUL_METRICS: '70000' }, 'got "70000"'],
  [
    { LONGHAUL_LOG_LEVEL: 'loud' },
    'LONGHAUL_LOG_LEVEL: Invalid option: expected one of "debug"|"info"|"warn"|"error", got "loud"',
  ],
  [
    { LONGHAUL_TRACE_CONTENTS: 'yes' },
    'LONGHAUL_TRACE_CONTENTS: Invalid option: expected one of "on"|"off", got "yes"',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317' },
    'Expected OTEL_EXPORTER_OTLP_ENDPOINT to be an address such as http://127.0.0.1:4318, got "localhost:4317".',
  ],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'no' },
    'Expected OTEL_EXPORTER_OTLP_TRACES_ENDPOINT to be an address such as http://127.0.0.1:4318, got "no".',
  ],
])('%j is refused', (environment, complaint) => {
  expect(() => read(environment as Record<string, string>)).toThrow(complaint);
});

test('headers that are none are refused without repeating them', () => {
  const complaint = (() => {
    try {
      return String(read({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b,sk-lf-verysecret' }));
    } catch (error) {
      return String(error);
    }
  })();
  expect(complaint).toContain('Expected OTEL_EXPORTER_OTLP_HEADERS to be headers such as');
  expect(complaint).toContain('entry 2 is not');
  expect(complaint).not.toContain('verysecret');
});
