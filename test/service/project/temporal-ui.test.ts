import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection, type WorkflowExecutionDescription } from '@temporalio/client';
import type { ProjectHandle } from '../../../client/index.ts';
import { untilAnswered } from '../../support/stack/moments.ts';
import { call, proposal, smallProject } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

// What a person does in the Temporal UI, done with the `temporal` command: the same calls, without any of ours.
const { entries } = smallProject([{ name: 'only' }]);
const slow = {
  name: 'slow',
  work: [
    call('run_command', { command: 'sleep 12; echo done' }),
    call('run_command', { command: 'sleep 300', timeout_seconds: 600 }), // always interrupted
  ],
};
const slowProject = [
  { role: 'initializer', after: 'A slow file.', turns: [call('propose_project', proposal([slow]))] },
  ...smallProject([slow]).entries.filter(({ role }) => role !== 'initializer'),
];

let stack: ServiceStack;
let address: string;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  stack = await startServiceStack({ script: { entries: [...entries, ...slowProject] } });
  address = stack.addresses.temporal;
  connection = await Connection.connect({ address });
  client = new Client({ connection });
});
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

async function startFromUi(id: string, input: object): Promise<void> {
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

async function reset(workflow: string, ...to: string[]): Promise<void> {
  await temporal('reset', '--workflow-id', workflow, '--reason', 'test', ...to);
}

async function untilStatus(id: string, status: string): Promise<void> {
  await waitFor(`${id} to be ${status}`, async () => (await attributesOf(id)).LonghaulStatus?.[0] === status);
  // It is stored a moment later.
  const project = await stack.longhaul.project(id);
  await waitFor(`${id} to be stored as ${status}`, async () => (await project.status()).status === status);
}

/** Not by the command: many look again and again, and each would start a process. */
async function attributesOf(id: string): Promise<WorkflowExecutionDescription['searchAttributes']> {
  return (await client.workflow.getHandle(id).describe()).searchAttributes;
}

test('an input without a goal is answered with what was expected', async () => {
  await startFromUi('no-goal', { name: 'nothing' });
  await expect(temporal('result', '--workflow-id', 'no-goal')).rejects.toThrow(/workflow failed/);
  expect(await temporal('show', '--workflow-id', 'no-goal', '-o', 'json')).toContain(
    'Expected { \\"goal\\": \\"...\\" } with 1 to 100000 characters',
  );
});

test('a folder that no person put down is neither committed nor shown to an agent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-private-'));
  await writeFile(join(folder, 'diary.txt'), 'mine\n');
  await startFromUi('thief', { goal: 'A file.', folder, adopt: true });
  await expect(temporal('result', '--workflow-id', 'thief')).rejects.toThrow(/workflow failed/);
  expect(await temporal('show', '--workflow-id', 'thief', '-o', 'json')).toContain('FolderNotAllowed');
  expect(await readdir(folder)).toEqual(['diary.txt']);
  await rm(folder, { recursive: true });
});

describe('a project from its start to its end', () => {
  let project: ProjectHandle;

  test('a project started with nothing but a goal runs to its end and can be found by its attributes', async () => {
    await startFromUi('from-ui', { goal: 'A file.' });
    await untilStatus('from-ui', 'COMPLETED');
    expect(await attributesOf('from-ui')).toMatchObject({ LonghaulProject: ['from-ui'], LonghaulFeature: ['only'] });
    const query = 'LonghaulStatus = "COMPLETED" AND LonghaulProject = "from-ui"';
    // What is listed comes a moment late.
    await waitFor('it to be found', async () => {
      const found = JSON.parse(await temporal('list', '--query', query, '-o', 'json'));
      return found.length === 1;
    });
    project = await stack.longhaul.project('from-ui');
    expect(await project.status()).toMatchObject({ status: 'COMPLETED' });
  });

  test('no activity has a limit that runs on while no worker is there, as when a stack is off for a night', async () => {
    for (const workflow of ['from-ui', 'from-ui-s1', 'from-ui-s1-work']) {
      const scheduled = (await eventsOf(workflow)).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
      expect(scheduled.length).toBeGreaterThan(2);
      for (const { activityType, scheduleToCloseTimeout, scheduleToStartTimeout } of scheduled)
        expect([activityType, scheduleToCloseTimeout, scheduleToStartTimeout]).toEqual([activityType, '0s', '0s']);
    }
  });

  test('a reset to any earlier event finds the work done and ends the same', async () => {
    const requests = () => stack.model.requests().length;
    const asked = requests();
    const before = await standing(project);
    const { runId } = await client.workflow.getHandle('from-ui').describe();
    const events = await eventsOf('from-ui');
    const completed = events
      .filter(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED')
      .map(({ eventId }) => eventId);
    // While the plan is being applied the branch is where it was; by now it is far ahead of that.
    const applying = events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
      scheduled?.activityType.name === 'applyProposal' ? [scheduled.workflowTaskCompletedEventId] : [],
    );
    const points = [completed[0], ...applying, completed[Math.floor(completed.length / 2)], completed.at(-1)];
    expect(points).toHaveLength(4);
    for (const point of points) {
      await reset('from-ui', '--run-id', runId, '--event-id', point ?? '');
      await expect(temporal('result', '--workflow-id', 'from-ui')).resolves.toContain('COMPLETED');
      expect(await standing(project)).toEqual(before);
    }
    expect(requests()).toBe(asked);
  });

  test('a reset to before a revert does not revert again', async () => {
    const reverts = async () => (await project.log()).filter(({ data }) => data.type === 'project.reverted').length;
    for (const checkpoint of ['c0', 'c1', 'c0']) await project.revert({ checkpoint });
    await project.resume();
    await untilStatus('from-ui', 'COMPLETED');
    const before = await standing(project);
    const events = await eventsOf('from-ui');
    const first = events.find(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED');
    await reset('from-ui', '--event-id', first?.eventId ?? '');
    await expect(temporal('result', '--workflow-id', 'from-ui')).resolves.toContain('COMPLETED');
    expect(await standing(project)).toEqual(before);
    expect(await reverts()).toBe(3);
  });
});

describe('a project at work', () => {
  const id = 'at-work';
  let project: ProjectHandle;
  let folder: string;

  const turnsOf = (run: string) =>
    stack.model.requests().flatMap((one) => (one.run === `${id}-${run}` ? [one.turn] : []));
  const isRunning = async (workflowId: string, runId?: string) =>
    (await client.workflow.getHandle(workflowId, runId).describe()).status.name === 'RUNNING';
  const statuses = async () => (await project.sessions()).map(({ status }) => status);

  test('a reset of a session leaves no second agent at work', async () => {
    await startFromUi(id, { goal: 'A slow file.' });
    await waitFor('it to be created', async () => (await stack.longhaul.listProjects()).some((one) => one.id === id));
    project = await stack.longhaul.project(id);
    folder = (await project.status()).folder;
    await untilAnswered(project, 's1-work', 1);
    const first = await client.workflow.getHandle(`${id}-s1-work`).describe();
    await reset(`${id}-s1`, '--type', 'FirstWorkflowTask');
    await untilAnswered(project, 's1-work', 2);
    expect(turnsOf('s1-work')).toEqual([1, 2]);
    expect(await isRunning(first.workflowId, first.runId)).toBe(false);
    expect(await statuses()).toEqual(['RUNNING']);
  });

  test('a reset of a project leaves no second agent at work', async () => {
    await reset(id, '--type', 'FirstWorkflowTask');
    await untilAnswered(project, 's2-work', 1);
    expect(await statuses()).toEqual(['INTERRUPTED', 'RUNNING']);
    expect([await isRunning(`${id}-s1`), await isRunning(`${id}-s1-work`)]).toEqual([false, false]);
    expect(turnsOf('s1-work')).toEqual([1, 2]);
  });

  test('a terminated session makes its project wait, and a resume without arguments continues', async () => {
    await temporal('terminate', '--workflow-id', `${id}-s2`, '--reason', 'test');
    await untilStatus(id, 'WAITING');
    expect(await project.status()).toMatchObject({
      reason: expect.stringContaining('The session on "slow" could not continue: it was terminated.'),
    });
    expect(await statuses()).toEqual(['INTERRUPTED', 'INTERRUPTED']);
    await waitFor('its sandbox to go', async () => (await stack.sandboxesOf(id)).length === 0);
    await signal('resume');
    await untilStatus(id, 'ACTIVE');
    await untilAnswered(project, 's3-work', 1);
  });

  test('a project whose workflow and folder are gone can be abandoned, and continues once the folder is back', async () => {
    await temporal('terminate', '--workflow-id', id, '--reason', 'test');
    await untilGitRests(folder);
    renameSync(folder, `${folder}-elsewhere`);
    await project.abandon('moved');
    await waitFor('its end', async () => (await project.status()).status === 'ABANDONED');
    expect(await project.status()).toMatchObject({ reason: 'moved' });
    renameSync(`${folder}-elsewhere`, folder);
    await project.resume();
    await untilStatus(id, 'ACTIVE');
  });

  test("a resume during a project's end is not lost", async () => {
    const ends = async () =>
      (await project.log()).filter(({ data }) => data.type === 'project.changed' && data.status === 'ABANDONED').length;
    const before = await ends();
    // Not by the command: it takes longer to start than the project takes to end.
    const workflow = client.workflow.getHandle(id);
    await workflow.signal('abandon');
    await workflow.signal('resume');
    await waitFor('its end', async () => (await ends()) > before);
    await untilStatus(id, 'ACTIVE');
  });

  test('pause and abandon work without arguments', async () => {
    await signal('pause');
    await untilStatus(id, 'PAUSED');
    await signal('abandon');
    await untilStatus(id, 'ABANDONED');
    await project.waitForEnd();
    // What is refused does not take it out of its end.
    await expect(project.runSession({ feature: 'none' })).rejects.toThrow('has no feature "none"');
    await expect(temporal('result', '--workflow-id', id)).resolves.toContain('ABANDONED');
    expect(await project.status()).toMatchObject({ status: 'ABANDONED' });
  });

  test('a project that has ended is not started in a directory that another has taken', async () => {
    const other = await stack.longhaul.startProject({ goal: 'A slow file.', name: 'other', folder });
    await startFromUi(id, { goal: 'A slow file.' });
    await expect(temporal('result', '--workflow-id', id)).rejects.toThrow(/workflow failed/);
    const refusal = `now belongs to the project "${other.id}"`;
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      workflowExecutionFailedEventAttributes: { failure: { cause: { message: expect.stringContaining(refusal) } } },
    });
    await expect(project.resume()).rejects.toThrow(refusal);
    await expect(project.revert({ checkpoint: 'c0' })).rejects.toThrow(refusal);
    await expect(project.runSession()).rejects.toThrow(refusal);
    await other.abandon();
    await other.waitForEnd();
    await project.resume();
    await untilStatus(id, 'ACTIVE');
    await project.abandon();
    await project.waitForEnd();
  });

  const signal = (name: string) => temporal('signal', '--workflow-id', id, '--name', name);
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

async function standing(project: ProjectHandle) {
  return {
    features: (await project.features()).map(({ name, status, commit }) => ({ name, status, commit })),
    sessions: (await project.sessions()).map(({ id, status }) => ({ id, status })),
    checkpoints: (await project.checkpoints()).map(({ id, commit }) => ({ id, commit })),
  };
}

/** An event of a history, as the command shows it. */
interface HistoryEvent {
  eventId: string;
  eventType: string;
  activityTaskScheduledEventAttributes?: {
    activityType: { name: string };
    scheduleToCloseTimeout: string;
    scheduleToStartTimeout: string;
    workflowTaskCompletedEventId: string;
  };
}

async function eventsOf(workflow: string): Promise<HistoryEvent[]> {
  return JSON.parse(await temporal('show', '--workflow-id', workflow, '-o', 'json')).events;
}
