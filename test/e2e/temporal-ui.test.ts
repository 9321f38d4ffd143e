import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, smallProject, writes } from '../support/scripts.ts';
import { startTestStack, type TestStack, waitFor } from '../support/test-stack.ts';

// What a person does in the Temporal UI, done with the `temporal` command: the same calls, without any of ours.
const script = smallProject([
  { name: 'first' },
  { name: 'second', work: [call('run_command', { command: 'sleep 3; echo done' }), writes('second')] },
]);

let stack: TestStack;
let address: string;

beforeAll(async () => {
  stack = await startTestStack({ script });
  const record = (await stack.record()) as unknown as { addresses: { temporal: string } };
  address = record.addresses.temporal;
}, 120_000);
afterAll(() => stack?.stop(), 30_000);

const run = promisify(execFile);

async function temporal(...parameters: string[]): Promise<string> {
  const command = process.env.TEMPORAL_CLI_PATH ?? 'temporal';
  const { stdout } = await run(command, ['workflow', ...parameters, '--address', address], { maxBuffer: 1 << 26 });
  return stdout;
}

async function startFromUi(id: string, input: object = { goal: 'Two files.' }): Promise<void> {
  await temporal(
    'start',
    '--workflow-id',
    id,
    '--type',
    'projectWorkflow',
    '--task-queue',
    'longhaul',
    '--input',
    JSON.stringify(input),
  );
}

async function untilStatus(id: string, status: string): Promise<void> {
  await waitFor(`${id} to be ${status}`, 90_000, async () => (await describe(id)).status === status);
}

async function describe(id: string): Promise<{ status: string; details: string; attribute: string; feature: string }> {
  const { workflowExecutionInfo: info, ...rest } = JSON.parse(
    await temporal('describe', '--workflow-id', id, '-o', 'json'),
  );
  const fields = info.searchAttributes?.indexedFields ?? {};
  const decode = (field?: { data: string }) => (field ? JSON.parse(Buffer.from(field.data, 'base64').toString()) : '');
  const details = JSON.stringify(rest);
  return {
    status: decode(fields.LonghaulStatus),
    details,
    attribute: decode(fields.LonghaulProject),
    feature: decode(fields.LonghaulFeature),
  };
}

const limit = 180_000;

test(
  'a project started with nothing but a goal runs to its end and can be found by its attributes',
  async () => {
    await startFromUi('from-ui');
    await untilStatus('from-ui', 'COMPLETED');
    expect(await describe('from-ui')).toMatchObject({ attribute: 'from-ui', feature: 'second' });
    const found = await temporal(
      'list',
      '--query',
      'LonghaulStatus = "COMPLETED" AND LonghaulProject = "from-ui"',
      '-o',
      'json',
    );
    expect(JSON.parse(found)).toHaveLength(1);
    expect(await (await stack.longhaul.project('from-ui')).status()).toMatchObject({ status: 'COMPLETED' });
  },
  limit,
);

test(
  'an input without a goal is answered with what was expected',
  async () => {
    await startFromUi('no-goal', { name: 'nothing' });
    await expect(temporal('result', '--workflow-id', 'no-goal')).rejects.toThrow(/workflow failed/);
    expect(await temporal('show', '--workflow-id', 'no-goal', '-o', 'json')).toContain(
      'Expected { \\"goal\\": \\"...\\" } with 1 to 100000 characters',
    );
  },
  limit,
);

test(
  'pause, resume and abandon work without arguments',
  async () => {
    await startFromUi('by-signals');
    const project = await untilThere('by-signals');
    await waitFor('the second session', 60_000, async () => (await project.sessions()).length === 2);
    await temporal('signal', '--workflow-id', 'by-signals', '--name', 'pause');
    await untilStatus('by-signals', 'PAUSED');
    await temporal('signal', '--workflow-id', 'by-signals', '--name', 'resume');
    await untilStatus('by-signals', 'ACTIVE');
    await temporal('signal', '--workflow-id', 'by-signals', '--name', 'abandon');
    await untilStatus('by-signals', 'ABANDONED');
  },
  limit,
);

test(
  'a reset to any earlier event finds the work done and ends the same',
  async () => {
    await startFromUi('to-reset');
    await untilStatus('to-reset', 'COMPLETED');
    const project = await stack.longhaul.project('to-reset');
    const asked = stack.model.requests().length;
    const before = await standing(project);
    const history = JSON.parse(await temporal('show', '--workflow-id', 'to-reset', '-o', 'json'));
    const runId = JSON.parse(await temporal('describe', '--workflow-id', 'to-reset', '-o', 'json'))
      .workflowExecutionInfo.execution.runId;
    const completed = history.events
      .filter((event: { eventType: string }) => event.eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED')
      .map((event: { eventId: string }) => event.eventId);
    for (const eventId of [completed[0], completed[Math.floor(completed.length / 2)], completed.at(-1)]) {
      await temporal(
        'reset',
        '--workflow-id',
        'to-reset',
        '--run-id',
        runId,
        '--event-id',
        eventId,
        '--reason',
        'test',
      );
      await expect(temporal('result', '--workflow-id', 'to-reset')).resolves.toContain('COMPLETED');
      expect(await standing(project)).toEqual(before);
    }
    expect(stack.model.requests()).toHaveLength(asked);
  },
  limit,
);

async function untilThere(id: string) {
  await waitFor(`${id} to be created`, 60_000, async () =>
    (await stack.longhaul.listProjects()).some((one) => one.id === id),
  );
  return stack.longhaul.project(id);
}

async function standing(project: Awaited<ReturnType<typeof untilThere>>) {
  return {
    features: (await project.features()).map(({ name, status, commit }) => ({ name, status, commit })),
    sessions: (await project.sessions()).map(({ id, status }) => ({ id, status })),
    checkpoints: (await project.checkpoints()).map(({ id, commit }) => ({ id, commit })),
  };
}
