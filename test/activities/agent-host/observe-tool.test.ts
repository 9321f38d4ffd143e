import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { createObserveTool } from '../../../activities/agent-host/observe-tool.ts';
import { defineAgent } from '../../../agents/runtime/definition/define-agent.ts';
import { defineTool } from '../../../agents/runtime/tools/define-tool.ts';
import { recordToolCall } from '../../../agents/runtime/tools/record-tool-call.ts';
import type { FinishedSpan } from '../../../domain/telemetry/span.ts';
import { noTelemetry } from '../../../domain/telemetry/telemetry.ts';
import { openTracer } from '../../../telemetry/open-tracer.ts';
import { memoryRun } from '../../support/work/memory-run.ts';

const wind = defineTool({
  name: 'wind',
  description: 'The wind.',
  parameters: z.object({ city: z.string() }),
  run: ({ city }) => {
    if (city === 'nowhere') throw new Error('no such city');
    return { in: city };
  },
});

test("tool calls of a coded agent, and those of its framework, are spans of the run's trace", async () => {
  const spans: FinishedSpan[] = [];
  const sinks = [{ onSpan: (span: FinishedSpan) => void spans.push(span) }];
  const tracer = await openTracer({ headers: {}, serviceName: 'test', contents: true, sinks }, { warn() {} });
  const observe = createObserveTool(
    { telemetry: { ...noTelemetry, tracer }, agent: defineAgent({ key: 'sailor', instructions: 'You sail.' }) },
    'run-1',
  );
  const run = memoryRun([], { tools: [wind], observe });
  const context = run.context();
  expect(await context.callTool('wind', { city: 'Oslo' })).toEqual({ in: 'Oslo' });
  await expect(context.callTool('wind', { city: 'nowhere' })).rejects.toThrow('no such city');
  const call = { tool: 'theirs', input: 1, once: false, keepsFailure: false };
  expect(await recordToolCall(context, call, async () => 2)).toBe(2);
  expect(await run.context().callTool('wind', { city: 'Oslo' })).toEqual({ in: 'Oslo' }); // from its record
  await tracer.close();
  expect(spans.map(({ name }) => name)).toEqual(['execute_tool wind', 'execute_tool wind', 'execute_tool theirs']);
  expect(spans[0]?.attributes).toMatchObject({
    'gen_ai.agent.name': 'sailor',
    'gen_ai.tool.name': 'wind',
    'gen_ai.conversation.id': 'run-1',
    'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
    'gen_ai.tool.call.result': '{"in":"Oslo"}',
  });
  expect(spans.map(({ error }) => error)).toEqual([undefined, 'no such city', undefined]);
});
