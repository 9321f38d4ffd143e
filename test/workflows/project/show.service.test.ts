import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { OpenedProject } from '../../../activities/project/project.ts';
import type { projectWorkflow } from '../../../workflows/project/project-workflow.ts';
import { pauseSignal, resumeSignal } from '../../../workflows/project/requests/messages.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

/** In which the workflow has heeded what it was told. Milliseconds. */
const heedMs = 1_000;

let workflows: Workflows;
const stored: string[] = [];
/** Set while Postgres is away: how often it was asked to store a status since. */
let refused: number | undefined;

beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());
afterEach(() => {
  stored.length = 0;
  refused = undefined;
});

/** Of a project as it is when its workflow begins. */
function activitiesOf(opened: Pick<OpenedProject, 'status' | 'planned'>) {
  return {
    createProject: async () => ({
      ...{
        reason: null,
        settings: { maxAttempts: 3, network: 'none' as const },
        sessions: 0,
        planning: 1,
        proposed: false,
      },
      ...{ left: [], head: null, ...opened },
    }),
    async setProjectStatus({ status }: { status: string }) {
      if (refused !== undefined) {
        refused += 1;
        throw new Error('Postgres is away.');
      }
      stored.push(status);
    },
  };
}

const options = (workflowId: string) => ({ workflowId, taskQueue, args: [] as [] });

test('an abandon while a pause is being stored leaves the project ABANDONED', async () => {
  const activities = activitiesOf({ status: 'INITIALIZING', planned: false });
  refused = 0;
  const outcome = await workflows.withActivities(activities, async () => {
    const handle = await workflows.client.workflow.signalWithStart<typeof projectWorkflow>('projectWorkflow', {
      ...options('abandoned'),
      signal: 'pause',
    });
    await waitFor('the pause to be refused', () => (refused ?? 0) > 0);
    await handle.signal('abandon');
    await sleep(heedMs);
    refused = undefined;
    return handle.result();
  });
  expect(outcome).toMatchObject({ status: 'ABANDONED' });
  expect(stored).toEqual(['PAUSED', 'ABANDONED']);
});

test('a project whose folder another has taken is FAILED', async () => {
  const activities = activitiesOf({ status: 'PAUSED', planned: true });
  const { setProjectStatus } = activities;
  activities.setProjectStatus = async (request) => {
    if (request.status === 'ACTIVE') throw ApplicationFailure.nonRetryable('Another has it.', 'FolderInUse');
    return setProjectStatus(request);
  };
  await workflows.withActivities(activities, async () => {
    const handle = await workflows.client.workflow.start<typeof projectWorkflow>('projectWorkflow', options('taken'));
    await handle.signal(pauseSignal, { reason: 'Another.' });
    await waitFor('its rest', () => stored.includes('PAUSED'));
    await handle.signal(resumeSignal);
    await expect(handle.result()).rejects.toThrow();
  });
  expect(stored).toEqual(['PAUSED', 'FAILED']);
});

test('a cancellation in the Temporal UI is an abandon, also while a pause is being stored', async () => {
  const outcome = await workflows.withActivities(activitiesOf({ status: 'PAUSED', planned: true }), async () => {
    const handle = await workflows.client.workflow.start<typeof projectWorkflow>(
      'projectWorkflow',
      options('cancelled'),
    );
    refused = 0;
    await handle.signal(pauseSignal, { reason: 'Another.' });
    await waitFor('the pause to be refused', () => (refused ?? 0) > 0);
    await handle.cancel();
    await sleep(heedMs);
    refused = undefined;
    return handle.result();
  });
  expect(outcome).toEqual({ status: 'ABANDONED', reason: 'Cancelled.' });
  expect(stored.at(-1)).toBe('ABANDONED');
});
