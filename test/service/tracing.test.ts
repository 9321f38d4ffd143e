import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import getPort from 'get-port';
import type { Activities } from '../../activities/create-activities.ts';
import { traceInterceptor } from '../../client/connection/trace-interceptor.ts';
import type { FinishedSpan } from '../../domain/telemetry/span.ts';
import { openTracer } from '../../telemetry/open-tracer.ts';
import { traceSinks } from '../../workers/trace-sinks.ts';
import { type CollectedSpan, startCollector } from '../support/servers/otlp-collector.ts';
import { startCommandLine } from '../support/stack/command-line.ts';
import { call } from '../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../support/stack/service-stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWorkflows, taskQueue } from '../support/work/start-workflows.ts';
import { workflowBundleOfRun } from '../support/work/workflow-bundle-of-run.ts';

const script = {
  entries: [
    {
      role: 'chat',
      after: 'Note the milk',
      turns: [call('create_task', { title: 'Buy oat milk' }), { text: 'It is noted.' }],
    },
    { role: 'chat', after: 'Thank you', turns: [{ text: 'You are welcome.' }] },
    { role: 'agent', after: 'What time is it', turns: [call('local_time', {}), { text: 'It is noon.' }] },
  ],
};

let collector: Awaited<ReturnType<typeof startCollector>>;
let metrics: string;
let stack: ServiceStack;

beforeAll(async () => {
  collector = await startCollector();
  metrics = `127.0.0.1:${await getPort()}`;
  stack = await startServiceStack({
    script,
    worker: 'process',
    settings: "export default { chat: { extractMemories: false }, logging: { level: 'warn', format: 'json' } };",
    environment: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LONGHAUL_METRICS: metrics }),
  });
});
afterAll(async () => {
  await stack?.stop();
  await collector?.close();
});

async function answerTo(name: string, text: string): Promise<string> {
  const chat = await stack.longhaul.chat(name);
  for await (const event of chat.send(text)) {
    if (event.type === 'answer') return event.text;
    if (event.type === 'failure') throw new Error(event.reason);
  }
  throw new Error('Expected an answer.');
}

const named = (name: string) => collector.spans.filter((span) => span.name === name);
const parentOf = ({ parentSpanId }: CollectedSpan) => collector.spans.find(({ spanId }) => spanId === parentSpanId);

/** The names of a span and of those above it, the outermost first. */
function pathOf(span: CollectedSpan): string[] {
  const parent = parentOf(span);
  return [...(parent ? pathOf(parent) : []), span.name];
}

test('one trace leads from the client through the workflow and its activities to model calls and tools', async () => {
  expect(await answerTo('traced', 'Note the milk')).toBe('It is noted.');
  expect(await answerTo('traced', 'Thank you')).toBe('You are welcome.');
  const agents = () => named('invoke_agent chat');
  await waitFor('the spans', () => agents().length === 2 && named('SignalWithStartWorkflow:chatWorkflow').length === 2);
  const toAgent = ['SignalWithStartWorkflow:chatWorkflow', 'invoke_agent chat'];
  const models = named('chat scripted');
  expect(models.map(pathOf)).toEqual(models.map(() => [...toAgent, 'RunActivity:callModel', 'chat scripted']));
  expect(models).toHaveLength(3);
  const [tool, ...others] = named('execute_tool create_task');
  if (!tool) throw new Error('Expected the span of the tool.');
  expect(others).toEqual([]);
  expect(pathOf(tool)).toEqual([...toAgent, 'RunActivity:runTool', 'execute_tool create_task']);

  const [first, second] = [...new Set(models.map(({ traceId }) => traceId))];
  expect(first).not.toBe(second); // a trace for each message
  expect(tool.traceId).toBe(first);
  expect([...new Set(collector.spans.map(({ traceId }) => traceId))].sort()).toEqual([first, second].sort());

  const conversation = (await stack.longhaul.chat('traced')).id;
  expect(models[0]).toMatchObject({
    service: 'longhaul',
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'scripted',
      'gen_ai.conversation.id': conversation,
      'gen_ai.agent.name': 'chat',
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
    },
  });
  expect(tool.attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'create_task',
    'gen_ai.tool.call.id': expect.any(String),
    'gen_ai.conversation.id': conversation,
  });
  expect(agents()[0]?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': conversation,
    temporalWorkflowId: conversation,
  });
  const sent = collector.requests.map(({ body }) => body).join('\n');
  for (const words of ['milk', 'noted', 'welcome']) expect(sent).not.toContain(words);
});

test('one port has the metrics of the worker, its queue, its models and its tools', async () => {
  const text = await (await fetch(`http://${metrics}/metrics`)).text();
  expect(text).toMatch(/^temporal_worker_task_slots_available\{.*worker_type="WorkflowWorker".*\} \d+/m);
  expect(text).toMatch(/^temporal_workflow_task_schedule_to_start_latency\w*_count\{.*\} \d+/m);
  expect(text).toContain('longhaul_model_calls_total{model="openai/scripted",outcome="ANSWERED"} 3');
  expect(text).toMatch(/^longhaul_model_tokens_total\{kind="output",model="openai\/scripted"\} [1-9]\d*$/m);
  expect(text).toContain('longhaul_tool_calls_total{outcome="succeeded",tool="create_task"} 1');
  expect(text).toContain('longhaul_runs_total{kind="chat",status="ANSWERED"} 2');
});

test('a process that hosts agents serves metrics of its own', async () => {
  const address = `127.0.0.1:${await getPort()}`;
  const folder = join(stack.home, 'clock');
  await mkdir(folder);
  await writeFile(
    join(folder, 'agent.ts'),
    `import { defineAgent, defineTool } from 'longhaul';
     import { z } from 'zod';
          const localTime = defineTool({ name: 'local_time', description: 'Now.', parameters: z.object({}), run: () => '12:00' });
     export default defineAgent({ key: 'clock', instructions: 'You say what time it is.', tools: [localTime] });`,
  );
  const host = startCommandLine(stack.environment, 'agents', 'work', folder, '--metrics', address);
  await waitFor('the host', () => host.said().includes('Takes runs of clock') || host.hasEnded());
  expect(host.said()).toContain('Takes runs of clock');
  expect((await stack.longhaul.run('clock', 'What time is it?')).output).toBe('It is noon.');
  const text = await (await fetch(`http://${address}/metrics`)).text();
  expect(text).toContain('longhaul_tool_calls_total{outcome="succeeded",tool="local_time"} 1');
  expect(text).toMatch(/^temporal_worker_task_slots_available\{.*agent-clock.*\} \d+/m);
  const start = (metrics: string) =>
    startCommandLine(stack.environment, 'agents', 'work', folder, '--metrics', metrics).ended;
  const taken = {
    code: 2,
    stderr: expect.stringContaining(`Expected to serve metrics at ${address}, but it is not free`),
  };
  expect(await start(address)).toMatchObject(taken);
  expect(await start('noon')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a port from 1 to 65535'),
  });
  host.kill('SIGINT');
  await host.ended;
});

/** Starts a workflow as a traced client does, with these activities; returns the spans of both. */
async function spansOf(type: string, input: object, activities: Partial<Activities>): Promise<FinishedSpan[]> {
  const spans: FinishedSpan[] = [];
  const sinks = [{ onSpan: (span: FinishedSpan) => void spans.push(span) }];
  const tracer = await openTracer({ headers: {}, serviceName: 'test', contents: false, sinks }, { warn() {} });
  const { codePath } = await workflowBundleOfRun();
  const code = `globalThis.longhaulTraces=true;${readFileSync(codePath, 'utf8')}`;
  const workflows = await startWorkflows({ bundle: { code }, sinks: traceSinks({ tracer }) });
  const interceptors = { workflow: [traceInterceptor(tracer)] };
  const client = new Client({ connection: workflows.client.connection, interceptors });
  const options = { taskQueue, workflowId: randomUUID(), args: [input] };
  await workflows.withActivities(activities, () => client.workflow.execute(type, options).catch(() => {}));
  await workflows.stop();
  await tracer.close();
  return spans;
}

test('a workflow is a span below who started it, which fails with it', async () => {
  const no = () => Promise.reject(ApplicationFailure.nonRetryable('No.'));
  const [started, ran, ...others] = await spansOf('maintainMemoryWorkflow', {}, { maintainMemory: no });
  expect(others).toEqual([]);
  expect(started).toMatchObject({ name: 'StartWorkflow:maintainMemoryWorkflow', kind: 'client' });
  expect(ran).toMatchObject({
    name: 'RunWorkflow:maintainMemoryWorkflow',
    traceId: started?.traceId,
    parentSpanId: started?.spanId,
    error: expect.any(String),
  });
});

test('a session has a trace of its own, linked to what led to it', async () => {
  const ended = { kind: 'interrupted' as const, reason: 'No.' };
  const [started, ran, ...others] = await spansOf(
    'sessionWorkflow',
    { projectId: 'p', sessionId: 's', paused: false },
    { beginSession: async () => ({ ended }) as never },
  );
  expect(others).toEqual([]);
  expect(ran).toMatchObject({
    name: 'RunWorkflow:sessionWorkflow',
    links: [{ traceId: started?.traceId, spanId: started?.spanId }],
  });
  expect(ran?.traceId).not.toBe(started?.traceId);
  expect(ran).not.toHaveProperty('parentSpanId');
  expect(ran).not.toHaveProperty('error');
});
