import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Client, Connection, type WorkflowExecutionDescription } from '@temporalio/client';
import { createTestsAtOnce } from '../../support/at-once.ts';
import { untilAnswered } from '../../support/stack/moments.ts';
import { call, smallProject, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { untilCompleted } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

// What a person does in the Temporal UI, done with the `temporal` command: the same calls, without any of ours.
const script = smallProject([
  { name: 'only', work: [call('run_command', { command: 'sleep 12; echo done' }), writes('only')] },
]);

const atOnce = createTestsAtOnce();
let stack: ServiceStack;
let address: string;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  stack = await startServiceStack({ script });
  address = stack.addresses.temporal;
  connection = await Connection.connect({ address });
  client = new Client({ connection });
  await atOnce.run();
}, 1_200_000);
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

const run = promisify(execFile);

async function temporal(...parameters: string[]): Promise<string> {
  const command = process.env.TEMPORAL_CLI_PATH ?? 'temporal';
  const options = { maxBuffer: 1 << 26, timeout: 600_000 }; // `result` waits for as long as a workflow runs
  for (let tries = 1; ; tries++) {
    try {
      return (await run(command, ['workflow', ...parameters, '--address', address], options)).stdout;
    } catch (error) {
      // The server says so of a workflow that it could not lock in time, and did nothing. The command, unlike the SDK, does not ask again.
      if (tries === 5 || !String(error).includes('Workflow is busy')) throw error;
      await sleep(1_000);
    }
  }
}

async function startFromUi(id: string, input: object = { goal: 'A file.' }): Promise<void> {
  await temporal(
    'start',
    '--workflow-id',
    id,
    '--type',
    'projectWorkflow',
    '--task-queue',
    stack.environment.LONGHAUL_TASK_QUEUE ?? '',
    '--input',
    JSON.stringify(input),
  );
}

async function untilStatus(id: string, status: string): Promise<void> {
  await waitFor(
    `${id} to be ${status}`,
    async () => {
      await sleep(300); // many look at once
      return (await attributesOf(id)).LonghaulStatus?.[0] === status;
    },
    600_000,
  );
  // It is stored a moment later.
  const project = await stack.longhaul.project(id);
  await waitFor(`${id} to be stored as ${status}`, async () => (await project.status()).status === status);
}

/** Not by the command: many look again and again, and each would start a process. */
async function attributesOf(id: string): Promise<WorkflowExecutionDescription['searchAttributes']> {
  return (await client.workflow.getHandle(id).describe()).searchAttributes;
}

atOnce.test(
  'a project started with nothing but a goal runs to its end and can be found by its attributes',
  async () => {
    await startFromUi('from-ui');
    await untilStatus('from-ui', 'COMPLETED');
    expect(await attributesOf('from-ui')).toMatchObject({ LonghaulProject: ['from-ui'], LonghaulFeature: ['only'] });
    const query = 'LonghaulStatus = "COMPLETED" AND LonghaulProject = "from-ui"';
    // What is listed comes a moment late.
    await waitFor('it to be found', async () => {
      const found = JSON.parse(await temporal('list', '--query', query, '-o', 'json'));
      return found.length === 1;
    });
    expect(await (await stack.longhaul.project('from-ui')).status()).toMatchObject({ status: 'COMPLETED' });
  },
);

atOnce.test('an input without a goal is answered with what was expected', async () => {
  await startFromUi('no-goal', { name: 'nothing' });
  await expect(temporal('result', '--workflow-id', 'no-goal')).rejects.toThrow(/workflow failed/);
  expect(await temporal('show', '--workflow-id', 'no-goal', '-o', 'json')).toContain(
    'Expected { \\"goal\\": \\"...\\" } with 1 to 100000 characters',
  );
});

atOnce.test('a folder that no person put down is neither committed nor shown to an agent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-private-'));
  await writeFile(join(folder, 'diary.txt'), 'mine\n');
  await startFromUi('thief', { goal: 'A file.', folder, adopt: true });
  await expect(temporal('result', '--workflow-id', 'thief')).rejects.toThrow(/workflow failed/);
  expect(await temporal('show', '--workflow-id', 'thief', '-o', 'json')).toContain('FolderNotAllowed');
  expect(await readdir(folder)).toEqual(['diary.txt']);
  await rm(folder, { recursive: true });
});

atOnce.test('pause, resume and abandon work without arguments', async () => {
  await startFromUi('by-signals');
  const project = await untilThere('by-signals');
  await waitFor('its session', async () => (await project.sessions()).length === 1);
  await temporal('signal', '--workflow-id', 'by-signals', '--name', 'pause');
  await untilStatus('by-signals', 'PAUSED');
  await temporal('signal', '--workflow-id', 'by-signals', '--name', 'resume');
  await untilStatus('by-signals', 'ACTIVE');
  await temporal('signal', '--workflow-id', 'by-signals', '--name', 'abandon');
  await untilStatus('by-signals', 'ABANDONED');
  await project.waitForEnd();
  // What is refused does not take it out of its end.
  await expect(project.runSession({ feature: 'none' })).rejects.toThrow('has no feature "none"');
  await expect(temporal('result', '--workflow-id', 'by-signals')).resolves.toContain('ABANDONED');
  expect(await project.status()).toMatchObject({ status: 'ABANDONED' });
});

atOnce.test("a resume during a project's end is not lost", async () => {
  await startFromUi('too-late');
  await waitFor('its plan', async () => (await (await untilThere('too-late')).checkpoints()).length > 0);
  // Not by the command: it takes longer to start than the project takes to end.
  const workflow = client.workflow.getHandle('too-late');
  await workflow.signal('abandon');
  await workflow.signal('resume');
  await untilStatus('too-late', 'COMPLETED');
  const told = (await (await stack.longhaul.project('too-late')).log()).map(({ data }) => data);
  expect(told).toContainEqual(expect.objectContaining({ type: 'project-changed', status: 'ABANDONED' }));
});

atOnce.test('a reset to any earlier event finds the work done and ends the same', async () => {
  await startFromUi('to-reset');
  await untilStatus('to-reset', 'COMPLETED');
  const project = await stack.longhaul.project('to-reset');
  const requests = () => stack.model.requests().filter((one) => one.project === 'to-reset').length;
  const asked = requests();
  const before = await standing(project);
  const history = JSON.parse(await temporal('show', '--workflow-id', 'to-reset', '-o', 'json'));
  const runId = JSON.parse(await temporal('describe', '--workflow-id', 'to-reset', '-o', 'json')).workflowExecutionInfo
    .execution.runId;
  for (const workflow of ['to-reset', 'to-reset-s1', 'to-reset-s1-work']) await expectNoTimeLimits(workflow);
  const completed = history.events
    .filter((event: { eventType: string }) => event.eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED')
    .map((event: { eventId: string }) => event.eventId);
  // While the plan is being applied the branch is where it was; by now it is far ahead of that.
  const applying = history.events.find(
    (event: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }) =>
      event.activityTaskScheduledEventAttributes?.activityType.name === 'applyProposal',
  );
  const points = [completed[0], applying.activityTaskScheduledEventAttributes.workflowTaskCompletedEventId];
  for (const eventId of [...points, completed[Math.floor(completed.length / 2)], completed.at(-1)]) {
    await temporal('reset', '--workflow-id', 'to-reset', '--run-id', runId, '--event-id', eventId, '--reason', 'test');
    await expect(temporal('result', '--workflow-id', 'to-reset')).resolves.toContain('COMPLETED');
    expect(await standing(project)).toEqual(before);
  }
  expect(requests()).toBe(asked);
});

for (const [whose, id, reset, sessions, turns] of [
  ['session', 'anew-session', 'anew-session-s1', ['PASSED'], [1, 2, 3]],
  ['project', 'anew-project', 'anew-project', ['INTERRUPTED', 'PASSED'], [1]],
] as const) {
  atOnce.test(`a reset of a ${whose} leaves no second agent at work`, async () => {
    await startFromUi(id);
    const project = await untilThere(id);
    await untilAnswered(project, 's1-work', 1);
    await temporal('reset', '--workflow-id', reset, '--type', 'FirstWorkflowTask', '--reason', 'test');
    await untilCompleted(project);
    expect((await project.sessions()).map(({ status }) => status)).toEqual(sessions);
    const asked = stack.model.requests().filter(({ run }) => run === `${id}-s1-work`);
    expect(asked.map(({ turn }) => turn)).toEqual(turns);
  });
}

atOnce.test('a reset to before a revert does not revert again', async () => {
  await startFromUi('reverted');
  await untilStatus('reverted', 'COMPLETED');
  const project = await stack.longhaul.project('reverted');
  for (const checkpoint of ['c0', 'c1', 'c0']) await project.revert({ checkpoint });
  await project.resume();
  await untilStatus('reverted', 'COMPLETED');
  const before = await standing(project);
  const { events } = JSON.parse(await temporal('show', '--workflow-id', 'reverted', '-o', 'json'));
  const first = events.find(
    ({ eventType }: { eventType: string }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED',
  );
  const reset = ['--event-id', first.eventId, '--reason', 'test'];
  await temporal('reset', '--workflow-id', 'reverted', ...reset);
  await expect(temporal('result', '--workflow-id', 'reverted')).resolves.toContain('COMPLETED');
  expect(await standing(project)).toEqual(before);
});

atOnce.test('a terminated session makes its project wait, and a resume continues', async () => {
  await startFromUi('cut-off');
  const project = await untilThere('cut-off');
  await untilAnswered(project, 's1-work', 1);
  await temporal('terminate', '--workflow-id', 'cut-off-s1', '--reason', 'test');
  await untilStatus('cut-off', 'WAITING');
  expect(await project.status()).toMatchObject({
    reason: expect.stringContaining('The session on "only" could not continue: it was terminated.'),
  });
  expect((await project.sessions()).at(-1)).toMatchObject({ status: 'INTERRUPTED' });
  await waitFor('its sandbox to go', async () => (await stack.sandboxesOf('cut-off')).length === 0);
  await temporal('signal', '--workflow-id', 'cut-off', '--name', 'resume');
  await untilStatus('cut-off', 'COMPLETED');
  expect((await project.sessions()).map(({ status }) => status)).toEqual(['INTERRUPTED', 'PASSED']);
});

for (const [asked, id, ended] of [
  ['abandon', 'homeless', { status: 'ABANDONED', reason: 'moved' }],
  ['resume', 'unmounted', { status: 'FAILED' }],
] as const) {
  atOnce.test(`a project whose workflow and folder are gone is reported after ${asked}`, async () => {
    await startFromUi(id);
    const project = await untilThere(id);
    const { folder } = await project.status();
    await waitFor('its plan', async () => (await project.checkpoints()).length > 0);
    await temporal('terminate', '--workflow-id', id, '--reason', 'test');
    await untilGitRests(folder);
    renameSync(folder, `${folder}-elsewhere`);
    await (asked === 'abandon' ? project.abandon('moved') : project.resume());
    await waitFor('its end', async () => (await project.status()).status === ended.status);
    expect(await project.status()).toMatchObject(ended);
    renameSync(`${folder}-elsewhere`, folder);
    await project.resume();
    await untilCompleted(project);
  });
}

atOnce.test('a project that has ended is not started in a directory that another has taken', async () => {
  await startFromUi('displaced');
  const project = await untilThere('displaced');
  const { folder } = await project.status();
  await waitFor('its plan', async () => (await project.checkpoints()).length > 0);
  await project.abandon();
  await waitFor(
    'it to end',
    async () => (await client.workflow.getHandle('displaced').describe()).status.name !== 'RUNNING',
  );
  const other = await stack.longhaul.startProject({ goal: 'A file.', name: 'other', folder });
  await startFromUi('displaced');
  await expect(temporal('result', '--workflow-id', 'displaced')).rejects.toThrow(/workflow failed/);
  const refusal = `now belongs to the project "${other.id}"`;
  expect(JSON.parse(await temporal('show', '--workflow-id', 'displaced', '-o', 'json')).events.at(-1)).toMatchObject({
    workflowExecutionFailedEventAttributes: { failure: { cause: { message: expect.stringContaining(refusal) } } },
  });
  await expect(project.resume()).rejects.toThrow(refusal);
  await expect(project.revert({ checkpoint: 'c0' })).rejects.toThrow(refusal);
  await expect(project.runSession()).rejects.toThrow(refusal);
  await other.abandon();
  await other.waitForEnd();
  await project.resume();
  await untilStatus('displaced', 'COMPLETED');
});

/** Until no activity of a terminated workflow works in the folder any more: renamed under a git, it would keep that git's lock. */
async function untilGitRests(folder: string): Promise<void> {
  const isLocked = async () => (await readdir(join(folder, '.git'))).some((name) => name.endsWith('.lock'));
  await waitFor('git to rest', async () => {
    if (await isLocked()) return false;
    await sleep(2_000);
    return !(await isLocked());
  });
}

async function untilThere(id: string) {
  await waitFor(`${id} to be created`, async () => (await stack.longhaul.listProjects()).some((one) => one.id === id));
  return stack.longhaul.project(id);
}

async function standing(project: Awaited<ReturnType<typeof untilThere>>) {
  return {
    features: (await project.features()).map(({ name, status, commit }) => ({ name, status, commit })),
    sessions: (await project.sessions()).map(({ id, status }) => ({ id, status })),
    checkpoints: (await project.checkpoints()).map(({ id, commit }) => ({ id, commit })),
  };
}

/** No activity has a limit that runs on while no worker is there: a stack may be off for a night in the middle of anything. */
async function expectNoTimeLimits(workflow: string): Promise<void> {
  const { events } = JSON.parse(await temporal('show', '--workflow-id', workflow, '-o', 'json'));
  type Scheduled = { activityTaskScheduledEventAttributes?: Record<string, unknown> };
  const scheduled = (events as Scheduled[]).flatMap(({ activityTaskScheduledEventAttributes: attributes }) =>
    attributes ? [attributes] : [],
  );
  expect(scheduled.length).toBeGreaterThan(2);
  for (const { activityType, scheduleToCloseTimeout, scheduleToStartTimeout } of scheduled)
    expect([activityType, scheduleToCloseTimeout, scheduleToStartTimeout]).toEqual([activityType, '0s', '0s']);
}
