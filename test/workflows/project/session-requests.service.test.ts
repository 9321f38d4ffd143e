import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WithStartWorkflowOperation } from '@temporalio/client';

import type { OpenedProject } from '../../../activities/project/project.ts';
import type { Claim, SessionRequest, SessionStarted } from '../../../domain/project/messages.ts';
import type { projectWorkflow } from '../../../workflows/project/project-workflow.ts';
import {
  pauseSignal,
  resumeSignal,
  revertUpdate,
  setBudgetUpdate,
} from '../../../workflows/project/requests/messages.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

let workflows: Workflows;
beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

/** A project whose features are one that can be asked for, and what is left to do once its session has ended. */
function project(opened: Pick<OpenedProject, 'status' | 'planned'>, left: Claim = { kind: 'all-passing' }) {
  const shown: Array<{ status: string; reason?: string | undefined }> = [];
  let asked = 0;
  /** Whether each session that nobody asked for could have started. */
  const mayStart: Array<boolean | undefined> = [];
  /** Ends the session. */
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const activities = {
    createProject: async () => ({
      ...{ reason: 'It brought no usable plan.', settings: { maxAttempts: 3, network: 'none' as const }, sessions: 0 },
      ...{ left: [], planning: 1, proposed: false, head: null, ...opened },
    }),
    async setProjectStatus({ status, reason }: { status: string; reason?: string | undefined }) {
      shown.push({ status, reason });
    },
    async claimFeature(claim: { feature?: string | undefined; mayStart?: boolean }): Promise<Claim> {
      const { feature } = claim;
      if (feature === undefined) {
        mayStart.push(claim.mayStart);
        return left;
      }
      asked += 1;
      return { kind: 'feature', feature, category: 'functional', attempt: 1 };
    },
    async beginSession() {
      await over;
      return { ended: { kind: 'landed' as const, reason: 'All steps passed.' } };
    },
    unblockFeatures: async () => 0,
    setBudget: async () => ({ project: { usd: 20 } }),
  };
  return { activities: activities as never, shown, asked: () => asked, mayStart, end };
}

const isActive = (shown: Array<{ status: string }>) => shown.some(({ status }) => status === 'ACTIVE');

const start = () =>
  workflows.client.workflow.start<typeof projectWorkflow>('projectWorkflow', {
    workflowId: randomUUID(),
    taskQueue,
    args: [],
  });

/** As `longhaul session` asks a project whose workflow may have closed. */
async function askFor(feature: string): Promise<{ result: Promise<unknown>; asked: Promise<unknown> }> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof projectWorkflow>('projectWorkflow', {
    ...{ workflowId: randomUUID(), taskQueue, args: [], workflowIdConflictPolicy: 'USE_EXISTING' as const },
  });
  const asked = workflows.client.workflow.executeUpdateWithStart<
    typeof projectWorkflow,
    SessionStarted,
    [SessionRequest]
  >('runSession', {
    startWorkflowOperation,
    args: [{ feature }],
  });
  asked.catch(() => {});
  return { asked, result: (await startWorkflowOperation.workflowHandle()).result() };
}

test('a project that waits completes when a requested session makes its last feature pass', async () => {
  const { activities, end } = project({ status: 'WAITING', planned: true });
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await handle.executeUpdate<SessionStarted, [SessionRequest]>('runSession', { args: [{ feature: 'x' }] });
    end();
    expect(await handle.result()).toEqual({ status: 'COMPLETED', reason: 'Every feature passes.' });
  });
});

test('after a requested session, a project that waited starts no other and waits for its blocked features', async () => {
  const { activities, shown, mayStart, end } = project(
    { status: 'WAITING', planned: true },
    { kind: 'blocked', reason: '"y" is BLOCKED.' },
  );
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await handle.executeUpdate<SessionStarted, [SessionRequest]>('runSession', { args: [{ feature: 'x' }] });
    end();
    await waitFor('its rest', () => shown.at(-1)?.reason?.includes('"y" is BLOCKED.') === true);
    expect(shown.at(-1)?.status).toBe('WAITING');
    expect(mayStart).toEqual([false]);
    await handle.terminate();
  });
});

test('a session is refused while another one is held in the middle of its work', async () => {
  const { activities, shown, end } = project({ status: 'WAITING', planned: true });
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    const ask = () =>
      handle.executeUpdate<SessionStarted, [SessionRequest]>('runSession', { args: [{ feature: 'x' }] });
    await ask();
    await handle.signal(pauseSignal, { reason: 'The budget is spent.' });
    await waitFor('its rest', () => shown.at(-1)?.status === 'PAUSED');
    await expect(ask()).rejects.toMatchObject({
      cause: {
        message: expect.stringMatching(/The session on "x" is paused .*The budget is spent\. `longhaul resume`/),
      },
    });
    end();
    await handle.terminate();
  });
});

test('a pause refuses the sessions that wait for their turn', async () => {
  const { activities, shown, asked, end } = project({ status: 'WAITING', planned: true });
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    const ask = (feature: string) =>
      handle.executeUpdate<SessionStarted, [SessionRequest]>('runSession', { args: [{ feature }] });
    await ask('x');
    const waiting = await handle.startUpdate<SessionStarted, [SessionRequest]>('runSession', {
      args: [{ feature: 'y' }],
      waitForStage: 'ACCEPTED',
    });
    await handle.signal(pauseSignal, { reason: 'Enough.' });
    await expect(waiting.result()).rejects.toMatchObject({
      cause: { message: 'The project was paused before the session started: Enough. Request the session again.' },
    });
    await handle.signal(resumeSignal);
    end();
    await handle.result();
    expect(asked()).toBe(1);
    expect(shown.at(-1)?.status).toBe('COMPLETED');
  });
});

test('a revert refuses the sessions that wait for their turn', async () => {
  const { activities, asked, end } = project({ status: 'ACTIVE', planned: true });
  const reverting = {
    ...(activities as object),
    checkRevert: async () => {},
    revertToCheckpoint: async () => ({ checkpoint: 'p/c1', commit: 'c', keptRef: 'r' }),
    endSession: async () => {},
    closeSandbox: async () => {},
  };
  await workflows.withActivities(reverting as never, async () => {
    const handle = await start();
    const ask = (feature: string) =>
      handle.startUpdate<SessionStarted, [SessionRequest]>('runSession', {
        args: [{ feature }],
        waitForStage: 'ACCEPTED',
      });
    await (await ask('x')).result();
    const waiting = await ask('y');
    const reverted = handle.executeUpdate(revertUpdate, { args: [{ checkpoint: 'c1' }] });
    // Before that the session would end by itself, and the next one begin.
    await waitFor('the revert to stop the session', async () => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).some((event) => event.requestCancelExternalWorkflowExecutionInitiatedEventAttributes);
    });
    end();
    await reverted;
    await expect(waiting.result()).rejects.toMatchObject({
      cause: { message: 'The project was reverted to p/c1 before the session started. Request the session again.' },
    });
    expect(asked()).toBe(1);
    await handle.terminate();
  });
});

test('a paused project is paused again after a requested session', async () => {
  const { activities, shown, end } = project({ status: 'PAUSED', planned: true });
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await handle.executeUpdate<SessionStarted, [SessionRequest]>('runSession', { args: [{ feature: 'x' }] });
    end();
    await waitFor('its rest', () => isActive(shown) && shown.at(-1)?.status === 'PAUSED');
    await handle.terminate();
  });
});

test('a budget raised during a requested session lets the project continue afterwards', async () => {
  const { activities, end } = project({ status: 'ACTIVE', planned: true }, { kind: 'all-passing' });
  await workflows.withActivities(activities, async () => {
    const handle = await workflows.client.workflow.signalWithStart<typeof projectWorkflow>('projectWorkflow', {
      ...{ workflowId: randomUUID(), taskQueue, args: [] as [] },
      ...{ signal: pauseSignal, signalArgs: [{ reason: 'The budget of $5.00 is spent.', budget: true }] as const },
    } as never);
    await handle.executeUpdate<SessionStarted, [SessionRequest]>('runSession', { args: [{ feature: 'x' }] });
    await handle.executeUpdate(setBudgetUpdate, { args: [{ limits: { usd: 20 } }] });
    end();
    expect(await handle.result()).toMatchObject({ status: 'COMPLETED' });
  });
});

test('a session is refused by a project that ended before it had features, which stays ended', async () => {
  const { activities, shown, asked } = project({ status: 'FAILED', planned: false });
  await workflows.withActivities(activities, async () => {
    const request = await askFor('x');
    await expect(request.asked).rejects.toMatchObject({
      cause: { message: expect.stringContaining('no features yet') },
    });
    expect(await request.result).toEqual({ status: 'FAILED', reason: 'It brought no usable plan.' });
  });
  expect(asked()).toBe(0);
  expect(shown.filter(({ status }) => status !== 'FAILED')).toEqual([]);
});

test('a session is refused while the planning is paused', async () => {
  const { activities, shown } = project({ status: 'PAUSED', planned: false });
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await waitFor('its rest', () => shown.at(-1)?.status === 'PAUSED');
    const asked = handle.executeUpdate<SessionStarted, [SessionRequest]>('runSession', { args: [{ feature: 'x' }] });
    await expect(asked).rejects.toMatchObject({ cause: { message: expect.stringContaining('no features yet') } });
    await handle.terminate();
  });
});

test('a reset gives no sessions beyond those that a project may have', async () => {
  const { activities, shown, end } = project({ status: 'ACTIVE', planned: true });
  end();
  const settings = { maxAttempts: 3, network: 'none' as const, maxSessions: 1 };
  const opened = {
    ...{ reason: '', sessions: 0, left: [], planning: 1, proposed: false, head: null },
    planned: true,
    settings,
  };
  const begun: string[] = [];
  await workflows.withActivities(
    {
      ...(activities as object),
      createProject: async () => ({ ...opened, status: 'ACTIVE' }),
      // As a reset finds them: the first three sessions are there already, the second and third of later resumes.
      async claimFeature({ sessionId, mayStart }: { sessionId: string; mayStart?: boolean }) {
        const isThere = begun.length < 3;
        if (!isThere && mayStart === false) return { kind: 'not-started' };
        begun.push(sessionId);
        return { kind: 'feature', feature: 'x', category: 'functional', attempt: 1 };
      },
    } as never,
    async () => {
      const handle = await start();
      await waitFor('its rest', () => shown.at(-1)?.status === 'WAITING' || begun.length > 5);
      await handle.terminate();
    },
  );
  expect(begun).toHaveLength(3);
});
