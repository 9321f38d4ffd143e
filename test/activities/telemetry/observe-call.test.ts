import { expect, test } from '@jest/globals';
import { observeCall } from '../../../activities/telemetry/observe-call.ts';
import type { ToolResult } from '../../../activities/tools/tool.ts';
import { noMetrics } from '../../../domain/telemetry/metrics.ts';
import type { FinishedSpan } from '../../../domain/telemetry/span.ts';
import { openTracer } from '../../../telemetry/open-tracer.ts';

const run = { runId: 'photos-s1-code', role: 'code' as const, owner: { kind: 'project' as const, id: 'photos' } };

async function observe(
  { name = 'read_file', contents = false },
  execute: () => Promise<ToolResult> = async () => ({ text: 'the words' }),
) {
  const spans: FinishedSpan[] = [];
  const counted: unknown[] = [];
  const sinks = [{ onSpan: (span: FinishedSpan) => void spans.push(span) }];
  const tracer = await openTracer({ headers: {}, serviceName: 'test', contents, sinks }, { warn() {} });
  const metrics = { ...noMetrics, toolCall: (...call: unknown[]) => void counted.push(call) };
  const call = { id: 'call-1', name, arguments: '{"path":"a.txt"}' };
  const outcome = await observeCall({ tracer, metrics }, run, call, execute).catch((error: unknown) => error);
  await tracer.close();
  return { span: spans[0], counted, outcome };
}

test('a tool call is a span with the names of the conventions, without contents', async () => {
  const { span, counted, outcome } = await observe({});
  expect(outcome).toEqual({ text: 'the words' });
  expect(span).toMatchObject({ name: 'execute_tool read_file', kind: 'internal' });
  expect(span).not.toHaveProperty('error');
  expect(span?.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'read_file',
    'gen_ai.tool.call.id': 'call-1',
    'gen_ai.tool.type': 'function',
    'gen_ai.agent.name': 'code',
    'gen_ai.conversation.id': 'photos-s1-code',
    'longhaul.run.id': 'photos-s1-code',
  });
  expect(counted).toEqual([['read_file', 'succeeded']]);
});

test('arguments and result are in it where contents are switched on', async () => {
  const { span } = await observe({ contents: true });
  expect(span?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"path":"a.txt"}',
    'gen_ai.tool.call.result': 'the words',
  });
});

test('a call that reports a failure has failed, and its words stay out', async () => {
  const { span, counted } = await observe({}, async () => ({ text: 'no such file: salaries.txt', failed: true }));
  expect(span).toMatchObject({ error: 'The tool reported a failure.', attributes: { 'error.type': 'tool_failed' } });
  expect(JSON.stringify(span)).not.toContain('salaries');
  expect(counted).toEqual([['read_file', 'failed']]);
});

test('a name that a model made up is not a time series of its own', async () => {
  const { counted } = await observe({ name: 'made_up_4711' });
  expect(counted).toEqual([['other', 'succeeded']]);
});

test('an error of a tool is thrown as it is', async () => {
  const error = new TypeError('broken');
  expect((await observe({}, () => Promise.reject(error))).outcome).toBe(error);
});
