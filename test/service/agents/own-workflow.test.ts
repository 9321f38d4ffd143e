import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { execa } from 'execa';
import { packageRoot } from '../../../config/package-root.ts';
import { createLonghaul } from '../../../runtime/create-longhaul.ts';
import { defineAgent, PermanentError } from '../../../runtime/index.ts';
import { connectWorker, type WorkerConnection } from '../../../runtime/worker/index.ts';
import type { StepEvent } from '../../../runtime/workflow/index.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';
import type * as workflows from '../../support/work/report-workflow.ts';

const taskQueue = 'own-workflows';

let stack: ServiceStack;
let connected: WorkerConnection;
let worker: Worker;
let running: Promise<void>;
let client: Client;
const leaving = new AbortController();
let hosting: Promise<void>;
/** The keys that the flaky activity was called with. */
const keys: string[] = [];

const weather = defineAgent({ key: 'weather', instructions: 'You answer about the weather.' });
const coded = defineAgent({
  key: 'coded',
  async run(context) {
    if (context.runId.startsWith('fails')) throw new PermanentError('it cannot be done');
    await sleep(600_000, undefined, { signal: context.signal });
    return { finalOutput: 'never' };
  },
});

beforeAll(async () => {
  const entries = [
    { role: 'agent', after: 'Is it cold in Oslo?', turns: [{ text: 'Yes: 3 °C.' }] },
    { role: 'agent', after: 'Wind in Oslo?', turns: [{ text: 'Storm.' }] },
    { role: 'agent', after: 'Wind in Bergen?', turns: [{ text: 'Calm.' }] },
  ];
  stack = await startServiceStack({ script: { entries } });
  const longhaul = await createLonghaul({ agents: [weather, coded], environment: stack.environment });
  hosting = longhaul.work({ signal: leaving.signal }).finally(() => longhaul.close());
  connected = await connectWorker({ environment: stack.environment });
  const workflowsPath = fileURLToPath(new URL('../../support/work/report-workflow.ts', import.meta.url));
  worker = await Worker.create({
    ...{ ...connected.server, taskQueue },
    workflowBundle: await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }),
    activities: {
      ...connected.activities,
      async flaky({ key }: { key: string }) {
        keys.push(key);
        if (keys.length < 3) throw new Error('not yet');
        return 'at last';
      },
      async refuse() {
        throw ApplicationFailure.nonRetryable('it may not');
      },
    },
  });
  running = worker.run();
  client = new Client(connected.server);
});
afterAll(async () => {
  leaving.abort();
  worker?.shutdown();
  await Promise.all([running, hosting]);
  await connected?.close();
  await stack?.stop();
});

test('agents, activities and functions are steps of a workflow, with retries, timeouts and a state that failures leave as it was', async () => {
  const handle = await client.workflow.start<typeof workflows.reportWorkflow>('reportWorkflow', {
    ...{ taskQueue, workflowId: 'report-1', args: ['Oslo'] },
  });
  const { results, state } = await handle.result();
  expect(results).toEqual({ look: 'Yes: 3 °C.', flaky: 'at last', slow: 2, sum: 'look flaky slow' });
  expect(state).toEqual({ seen: ['Oslo'], tries: 2 });
  expect(new Set(keys).size).toBe(1);

  const events = await handle.query<StepEvent[]>('events');
  const of = (name: string) => events.flatMap((event) => ('step' in event && event.step === name ? [event.type] : []));
  expect(of('look')).toEqual(['step.started', 'step.completed']);
  expect(of('flaky')).toEqual(['step.started', 'step.retrying', 'step.retrying', 'step.completed']);
  expect(events).toContainEqual({
    ...{ type: 'step.retrying', step: 'slow', attempt: 2, delayMs: 10 },
    reason: 'The step "slow" took longer than its timeout of 200 ms.',
  });
  expect(events.at(-1)).toEqual({ type: 'progress.update', percent: 100, text: 'sum' });

  const [run] = await stack.longhaul.runs.list({ agent: 'weather' });
  expect(run).toMatchObject({ status: 'SUCCEEDED', input: [{ role: 'user', content: 'Is it cold in Oslo?' }] });
  const child = await client.workflow.getHandle(run?.id ?? '').describe();
  expect(child.raw.workflowExecutionInfo?.parentExecution?.workflowId).toBe('report-1');
});

test('a step that may not be tried again ends the workflow at once, and what runs beside it', async () => {
  await expect(
    client.workflow.execute<typeof workflows.refusedWorkflow>('refusedWorkflow', {
      taskQueue,
      workflowId: 'refused-1',
    }),
  ).rejects.toMatchObject({ cause: { cause: { message: 'it may not' } } });
});

test('steps of the same name end the workflow, rather than its task that is tried again for ever', async () => {
  const ended = client.workflow.execute<typeof workflows.doubledWorkflow>('doubledWorkflow', {
    ...{ taskQueue, workflowId: 'doubled-1' },
  });
  await expect(ended).rejects.toMatchObject({ cause: { type: 'DuplicateName' } });
});

test('a run that fails, and an agent that nobody hosts, are failures by their names', async () => {
  const failureOf = async (agent: string, runId: string) => {
    const ended = client.workflow.execute<typeof workflows.agentWorkflow>('agentWorkflow', {
      ...{ taskQueue, workflowId: `for-${runId}`, args: [agent, runId] },
    });
    const error = await ended.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error instanceof WorkflowFailedError ? error.cause : error;
  };
  expect(await failureOf('coded', 'fails-1')).toMatchObject({
    type: 'RunFailed',
    message: expect.stringContaining('it cannot be done'),
  });
  expect(await failureOf('nobody', 'nobody-1')).toMatchObject({
    type: 'InvalidInput',
    message: expect.stringContaining('Expected the key of an agent'),
  });
});

test('cancelling the workflow cancels the run of its agent', async () => {
  const handle = await client.workflow.start<typeof workflows.agentWorkflow>('agentWorkflow', {
    ...{ taskQueue, workflowId: 'waits', args: ['coded', 'waits-1'] },
  });
  const status = async () =>
    (await stack.longhaul.runs.list({ agent: 'coded' })).find(({ id }) => id === 'waits-1')?.status;
  await waitFor('the run', async () => (await status()) === 'RUNNING');
  await handle.cancel();
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  await waitFor('its end', async () => (await status()) === 'CANCELLED');
});

test('the worker and the workflow that docs/frameworks.md shows run', async () => {
  const folder = join(stack.home, 'reports');
  const modules = join(packageRoot(), 'node_modules');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(packageRoot(), join(folder, 'node_modules', 'longhaul'));
  symlinkSync(join(modules, '@temporalio'), join(folder, 'node_modules', '@temporalio'));
  const page = readFileSync(join(packageRoot(), 'docs', 'frameworks.md'), 'utf8');
  for (const [, name = '', code = ''] of page.matchAll(/```ts\n\/\/ (\w+\.ts)\n(.*?)```/gs)) {
    writeFileSync(join(folder, name), code);
  }
  writeFileSync(
    join(folder, 'activities.ts'),
    'export const publish = async (report: object) => JSON.stringify(report);',
  );
  const { stdout } = await execa(process.execPath, [join(modules, 'jiti', 'lib', 'jiti-cli.mjs'), 'worker.ts'], {
    ...{ cwd: folder, env: stack.environment },
  });
  expect(stdout).toMatch(/^\{"results":\{"Oslo":"Storm\.","Bergen":"Calm\."\},"idempotencyKey":".+"\}$/m);
});
