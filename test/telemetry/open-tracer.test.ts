import { expect, test } from '@jest/globals';
import { noLog } from '../../domain/telemetry/log.ts';
import { noTracer } from '../../domain/telemetry/tracer.ts';
import { openTracer } from '../../telemetry/open-tracer.ts';

const off = { headers: {}, serviceName: 'longhaul', contents: false, sinks: [] };

test('without an endpoint and sinks there is no tracer', async () => {
  expect(await openTracer(off, noLog)).toBe(noTracer);
  expect(await noTracer.inSpan({ name: 'work' }, async (span) => [span.set({}), noTracer.current()])).toEqual([
    undefined,
    undefined,
  ]);
});
