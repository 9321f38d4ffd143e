import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { holdSecrets } from '../../domain/secrets/scrub.ts';
import type { TracingSettings } from '../../domain/telemetry/settings.ts';
import type { FinishedSpan, TraceSink } from '../../domain/telemetry/span.ts';
import type { Tracer } from '../../domain/telemetry/tracer.ts';
import { openTracer } from '../../telemetry/open-tracer.ts';
import { startCollector } from '../support/servers/otlp-collector.ts';
import { waitFor } from '../support/wait-for.ts';

const warned: string[] = [];
const log = { warn: (message: string) => void warned.push(message) };
const opened: Tracer[] = [];
afterEach(async () => {
  warned.length = 0;
  await Promise.all(opened.splice(0).map((tracer) => tracer.close()));
});

async function open(settings: Partial<TracingSettings>): Promise<Tracer> {
  const tracer = await openTracer(
    { headers: {}, serviceName: 'longhaul', contents: false, sinks: [], ...settings },
    log,
  );
  opened.push(tracer);
  return tracer;
}

function keeping(): TraceSink & { spans: FinishedSpan[] } {
  const spans: FinishedSpan[] = [];
  return { spans, onSpan: (span) => void spans.push(span) };
}

test('spans of nested work are children of each other, also across an await, and a failure is named', async () => {
  const sink = keeping();
  const tracer = await open({ sinks: [sink] });
  const failing = tracer.inSpan({ name: 'outer', attributes: { turn: 1 } }, async () => {
    await delay(1);
    const call = tracer.start({ name: 'chat gpt-5', kind: 'client' });
    await tracer.inSpan({ name: 'tool' }, async (span) => span.set({ 'gen_ai.tool.name': 'read_file' }));
    call.end();
    throw new TypeError('It broke.');
  });
  await expect(failing).rejects.toThrow('It broke.');
  await tracer.close();
  const [tool, call, outer] = sink.spans;
  expect(outer).toMatchObject({
    name: 'outer',
    attributes: { turn: 1, 'error.type': 'TypeError' },
    error: 'It broke.',
    links: [],
  });
  expect(outer).not.toHaveProperty('parentSpanId');
  for (const inner of [tool, call]) {
    expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId });
    expect(inner).not.toHaveProperty('error');
  }
  expect(tool?.attributes).toEqual({ 'gen_ai.tool.name': 'read_file' });
  expect(call?.kind).toBe('client');
  expect(tracer.current()).toBeUndefined();
});

test('a span of a workflow keeps the ids, times, parent and link that the workflow gave it', async () => {
  const sink = keeping();
  const tracer = await open({ sinks: [sink] });
  const [traceId, spanId, above, other] = ['a1'.repeat(16), 'b2'.repeat(8), 'c3'.repeat(8), 'd4'.repeat(16)];
  const span = { name: 'RunWorkflow:sessionWorkflow', startedAt: 1_000, endedAt: 4_500 };
  tracer.record({
    ...span,
    context: { traceId, spanId, sampled: true },
    parent: { traceId, spanId: above, sampled: true },
    link: { traceId: other, spanId: above, sampled: true },
    error: 'No.',
  });
  await tracer.inSpan({ name: 'after' }, async () => {});
  expect(sink.spans[0]).toMatchObject({
    ...{ name: span.name, traceId, spanId, parentSpanId: above, error: 'No.' },
    links: [{ traceId: other, spanId: above }],
    startedAt: new Date(1_000),
    endedAt: new Date(4_500),
  });
  expect(sink.spans[1]?.traceId).not.toBe(traceId);
});

test('no secret leaves with a name, an attribute or an error', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  holdSecrets(['held-4711-secret']);
  const collector = await startCollector();
  const sink = keeping();
  const tracer = await open({ endpoint: `${collector.url}/v1/traces`, sinks: [sink] });
  await tracer
    .inSpan({ name: `tool ${token}`, attributes: { arguments: `{"key":"${token}"}` } }, async (span) => {
      span.set({ result: 'held-4711-secret', list: [token] });
      throw new Error(`It said ${token}.`);
    })
    .catch(() => {});
  await tracer.close();
  await waitFor('the spans', () => collector.requests.length > 0);
  await collector.close();
  const everything = JSON.stringify([sink.spans, collector.requests]);
  expect(everything).toContain('[removed: a GitHub token]');
  expect(everything).not.toContain(token);
  expect(everything).not.toContain('held-4711-secret');
});

test('spans go to the endpoint with its headers and the name of the service', async () => {
  const collector = await startCollector();
  const tracer = await open({
    endpoint: `${collector.url}/api/public/otel/v1/traces`,
    headers: { authorization: 'Basic cGstbGY6c2stbGY=' },
    serviceName: 'my-agents',
  });
  await tracer.inSpan({ name: 'work' }, async () => {});
  await tracer.close();
  await waitFor('the spans', () => collector.requests.length > 0);
  await collector.close();
  expect(collector.requests).toMatchObject([
    { path: '/api/public/otel/v1/traces', authorization: 'Basic cGstbGY6c2stbGY=' },
  ]);
  expect(collector.spans).toMatchObject([{ name: 'work', service: 'my-agents' }]);
});

test('a collector that refuses is named once and disturbs nothing', async () => {
  const collector = await startCollector({ status: 400 });
  const endpoint = `${collector.url}/v1/traces`;
  const tracer = await open({ endpoint });
  expect(await tracer.inSpan({ name: 'work' }, async () => 'done')).toBe('done');
  await tracer.close();
  await waitFor('the complaint', () => warned.length > 0);
  await collector.close();
  expect(warned).toEqual([`Could not send traces to ${endpoint}; the work goes on without.`]);
});

test('a collector that is away holds neither the work nor, for long, the end of the process', async () => {
  const tracer = await open({ endpoint: 'http://127.0.0.1:9/v1/traces' });
  expect(await tracer.inSpan({ name: 'work' }, async () => 'done')).toBe('done');
  await tracer.close();
});

test('a sink that throws is named once and disturbs neither the work nor other sinks', async () => {
  const sink = keeping();
  const broken: TraceSink = {
    onSpan() {
      throw new Error('full');
    },
    close: () => Promise.reject(new Error('still full')),
  };
  const tracer = await open({ sinks: [broken, sink] });
  for (const name of ['a', 'b']) await tracer.inSpan({ name }, async () => {});
  await tracer.close();
  expect(sink.spans.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(warned).toEqual(['A trace sink failed; the work goes on without it.']);
});

test('a sink that hangs does not hold the end of the process', async () => {
  const tracer = await open({ sinks: [{ onSpan: () => new Promise(() => {}) }] });
  await tracer.inSpan({ name: 'a' }, async () => {});
  await tracer.close();
});
