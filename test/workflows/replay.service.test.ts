import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { packageRoot } from '../../config/package-root.ts';
import { noTracer } from '../../domain/telemetry/tracer.ts';
import { traceSinks } from '../../workers/trace-sinks.ts';
import type { projectWorkflow } from '../../workflows/project/project-workflow.ts';
import { startWorkflows, taskQueue, type Workflows } from '../support/work/start-workflows.ts';
import { workflowBundleOfRun } from '../support/work/workflow-bundle-of-run.ts';

const folder = join(packageRoot(), 'test', 'histories');
const recordings = readdirSync(folder).filter((name) => name.endsWith('.json'));

let workflows: Workflows;
let options: ReplayWorkerOptions;

beforeAll(async () => {
  workflows = await startWorkflows();
  options = { workflowBundle: await workflowBundleOfRun() };
});
afterAll(() => workflows?.stop());

test.each([
  { what: 'a change of the workflow code', flag: '' },
  { what: 'tracing', flag: 'globalThis.longhaulTraces=true;' },
])('$what does not break the recorded histories', async ({ flag }) => {
  const { codePath } = await workflowBundleOfRun();
  const workflowBundle = { code: `${flag}${readFileSync(codePath, 'utf8')}` };
  const sinks = traceSinks({ tracer: noTracer });
  const histories = recordings.map((name) => {
    const history = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return { name, history, workflowId: history.events[0].workflowExecutionStartedEventAttributes.workflowId };
  });
  const replayed: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, sinks }, histories)) {
    const { name } = histories.find((one) => one.workflowId === workflowId) ?? {};
    replayed.push(error ? `${name}: ${error.message}` : `${name}`);
  }
  expect(replayed.sort()).toEqual(recordings.sort());
});

test('a project replays, unless it no longer does what its history says', async () => {
  const workflowId = randomUUID();
  const activities = {
    createProject: async () => ({
      ...{
        status: 'ACTIVE',
        reason: null,
        settings: { maxAttempts: 3, network: 'none' as const },
        sessions: 0,
        left: [],
      },
      ...{ planned: true, planning: 1, proposed: false, head: null },
    }),
    claimFeature: async () => ({ kind: 'all-passing' }),
    setProjectStatus: async () => {},
  };
  const history = await workflows.withActivities(activities as never, async () => {
    const handle = await workflows.client.workflow.start<typeof projectWorkflow>('projectWorkflow', {
      ...{ workflowId, taskQueue, args: [] },
    });
    await handle.result();
    return handle.fetchHistory();
  });
  await expect(Worker.runReplayHistory(options, history, workflowId)).resolves.toBeUndefined();
  const claim = history.events?.find(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'claimFeature',
  );
  if (!claim?.activityTaskScheduledEventAttributes) throw new Error('Expected the project to claim a feature.');
  claim.activityTaskScheduledEventAttributes.activityType = { name: 'somethingElse' };
  await expect(Worker.runReplayHistory(options, history, workflowId)).rejects.toThrow(DeterminismViolationError);
});
