import { expect, test } from '@jest/globals';
import { contextFrom, formatTraceparent, parseTraceparent } from '../../../domain/telemetry/trace-context.ts';

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

test('a traceparent is read as W3C writes it', () => {
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true });
  expect(parseTraceparent(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId, sampled: false });
  const context = { traceId, spanId, sampled: true };
  expect(parseTraceparent(formatTraceparent(context))).toEqual(context);
});

test.each([undefined, '', 'x', `00-${'0'.repeat(32)}-${spanId}-01`, `00-${traceId}-${'0'.repeat(16)}-01`])(
  '%s is no traceparent',
  (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  },
);

test('the context of a span follows from the text alone', () => {
  const first = contextFrom('1 019ac1d2-0000-7000-8000-000000000001');
  expect(contextFrom('1 019ac1d2-0000-7000-8000-000000000001')).toEqual(first);
  expect(parseTraceparent(formatTraceparent(first))).toEqual(first);
  expect(contextFrom('1 x', first)).toMatchObject({ traceId: first.traceId, sampled: true });
});

test('ten thousand spans of ten runs have ids of their own', () => {
  const contexts = Array.from({ length: 10_000 }, (_, index) =>
    contextFrom(`${Math.floor(index / 10)} 019ac1d2-0000-7000-8000-00000000000${index % 10}`),
  );
  expect(new Set(contexts.map((context) => context.spanId)).size).toBe(10_000);
  expect(new Set(contexts.map((context) => context.traceId)).size).toBe(10_000);
});
