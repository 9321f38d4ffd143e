import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { Claim } from '../../../domain/project/messages.ts';
import type { projectWorkflow } from '../../../workflows/project/project-workflow.ts';
import {
  abandonSignal,
  answerRequestSignal,
  pauseSignal,
  resumeSignal,
  revertUpdate,
} from '../../../workflows/project/requests/messages.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

let workflows: Workflows;
beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

/** The activities of a project whose first session is verified already and has to land; `done` lists what happened. */
function verified(changes: Record<string, (input: never) => Promise<unknown>>) {
  const done: string[] = [];
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
    setProjectStatus: async ({ status }: { status: string }) => void done.push(status),
    claimFeature: async ({ number }: { number: number }): Promise<Claim> =>
      number > 1 ? { kind: 'all-passing' } : { kind: 'feature', feature: 'x', category: 'functional', attempt: 1 },
    beginSession: async () => ({ ended: { kind: 'verified', commit: 'c1', reason: 'green' } }),
    permitLanding: async () => ({ kind: 'granted' }),
    mergeOntoHead: async ({ commit, landing }: { commit: string; landing: number }) => ({ commit, landing }),
    verifyEarlierFeatures: async () => ({}),
    async landCommit({ commit }: { commit: string }) {
      done.push(`landed ${commit}`);
      return { landed: true };
    },
    async endSession({ status, reason }: { status: string; reason: string }) {
      done.push(`${status}: ${reason}`);
      return status;
    },
    closeSandbox: async () => {},
    checkRevert: async () => {},
    async revertToCheckpoint() {
      done.push('reverted');
      return { checkpoint: 'p/c1', commit: 'c', keptRef: 'r' };
    },
    ...changes,
  };
  return { activities: activities as never, done };
}

const start = () =>
  workflows.client.workflow.start<typeof projectWorkflow>('projectWorkflow', {
    ...{ workflowId: randomUUID(), taskQueue, args: [] },
  });

test('work that is merged onto a head that has moved lands once the merged commit passes too', async () => {
  const checked: string[] = [];
  const { activities, done } = verified({
    mergeOntoHead: async () => ({ commit: 'c2', landing: 2 }),
    async verifyFeature({ commit, landing }: { commit: string; landing: number }) {
      checked.push(`${commit} ${landing}`);
      return { passed: true, reason: 'green' };
    },
  });
  await workflows.withActivities(activities, async () => (await start()).result());
  expect([checked, done]).toEqual([['c2 2'], ['landed c2', 'COMPLETED']]);
});

test('work that fails on the head is recorded as failed and does not land', async () => {
  const { activities, done } = verified({
    mergeOntoHead: async () => ({ commit: 'c2', landing: 2 }),
    verifyFeature: async () => ({ passed: false, reason: 'red' }),
  });
  await workflows.withActivities(activities, async () => (await start()).result());
  expect(done).toEqual(['FAILED: red', 'COMPLETED']);
});

test('a landing that a pause interrupts continues after the resume', async () => {
  let looks = 0;
  let pause = async () => {};
  const { activities, done } = verified({
    async verifyEarlierFeatures() {
      looks += 1;
      if (looks > 1) return {};
      await pause();
      return { paused: true };
    },
  });
  await workflows.withActivities(activities, async () => {
    let handle: Awaited<ReturnType<typeof start>> | undefined;
    pause = async () => {
      await waitFor('the project', () => handle !== undefined);
      await handle?.signal(pauseSignal, {});
    };
    handle = await start();
    await waitFor('the pause', () => done.includes('PAUSED'));
    expect(done).toEqual(['PAUSED']);
    await handle.signal(resumeSignal);
    await handle.result();
  });
  expect(done).toEqual(['PAUSED', 'ACTIVE', 'landed c1', 'COMPLETED']);
});

const busy = () => Promise.reject(ApplicationFailure.nonRetryable('A merge is under way.', 'RepositoryBusy'));

/** Verified work whose landing finds the folder busy at each of its tries. */
function verifiedWhileBusy() {
  let tries = 0;
  const landCommit = () => {
    tries += 1;
    return busy();
  };
  return { ...verified({ landCommit }), tries: () => tries };
}

test("an abandon ends a landing that waits for a person's git", async () => {
  const { activities, done, tries } = verifiedWhileBusy();
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await waitFor('a try', () => tries() > 0);
    await handle.signal(abandonSignal, { reason: 'Enough.' });
    expect(await handle.result()).toEqual({ status: 'ABANDONED', reason: 'Enough.' });
  });
  expect(done).toEqual(['INTERRUPTED: It was stopped.', 'ABANDONED']);
});

test("a revert ends a landing that waits for a person's git", async () => {
  const { activities, done, tries } = verifiedWhileBusy();
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await waitFor('a try', () => tries() > 0);
    await handle.executeUpdate(revertUpdate, { args: [{ checkpoint: 'c1' }] });
    await handle.terminate();
  });
  expect(done.slice(0, 2)).toEqual(['INTERRUPTED: It was stopped.', 'reverted']);
});

test('verified work whose folder keeps changing is tried a few times, then the project waits', async () => {
  const { activities, done } = verified({
    mergeOntoHead: async ({ landing }: { landing: number }) => ({ commit: `c${landing + 1}`, landing: landing + 1 }),
    verifyFeature: async () => ({ passed: true, reason: 'green' }),
    landCommit: async () => ({ landed: false, inTheWay: 'app.log' }),
  });
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await waitFor('the wait', () => done.includes('WAITING'));
    const { reason } = await handle.query<{ reason: string }>('status');
    expect(reason).toContain('passed 5 times');
    expect(reason).toContain('(last time: app.log)');
    await handle.terminate();
  });
});

/** Verified work that a person has to allow; it lands once the request is answered yes. */
function asked(deadline?: string) {
  let answer: string | undefined;
  return verified({
    async permitLanding() {
      if (answer === undefined) return { kind: 'asked', request: 'r1', asked: 'Land it?' };
      return answer === 'yes' ? { kind: 'granted' } : { kind: 'refused', reason: 'A person refused it.' };
    },
    unblockFeatures: async () => 0,
    readDeadline: async () => (deadline && answer === undefined ? { id: 'r1', deadline, answer: 'no' } : null),
    async answerRequest(given: { id: string; answer: string }) {
      if (given.id === 'r1') answer ??= given.answer;
      return given.id === 'r1' ? { id: 'r1', kind: 'landing', answer } : null;
    },
    claimFeature: async ({ number }: { number: number }): Promise<Claim> =>
      number === 1
        ? { kind: 'feature', feature: 'x', category: 'functional', attempt: 1 }
        : { kind: answer === undefined ? 'busy' : 'all-passing' },
  });
}

test('work that a person has to allow waits for the answer, over a pause, and then lands', async () => {
  const { activities, done } = asked();
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await waitFor('the wait', () => done.includes('WAITING'));
    const { reason } = await handle.query<{ reason: string }>('status');
    expect(reason).toBe('Land it? `longhaul answer r1 yes` (or no) answers.');
    await handle.signal(pauseSignal, {});
    await handle.signal(answerRequestSignal, { id: 'other', answer: 'yes' });
    await handle.signal(answerRequestSignal, { id: 'r1', answer: 'yes' });
    await waitFor('the pause', () => done.includes('PAUSED'));
    await handle.signal(resumeSignal);
    await handle.result();
  });
  expect(done).toEqual(['WAITING', 'PAUSED', 'ACTIVE', 'landed c1', 'COMPLETED']);
});

test('at the deadline of a request its default answer counts', async () => {
  const { activities, done } = asked(new Date(Date.now() + 500).toISOString());
  await workflows.withActivities(activities, async () => (await start()).result());
  expect(done.filter((one) => one !== 'WAITING' && one !== 'ACTIVE')).toEqual([
    'FAILED: A person refused it.',
    'COMPLETED',
  ]);
});

test('an abandon ends the wait for an answer', async () => {
  const { activities, done } = asked();
  await workflows.withActivities(activities, async () => {
    const handle = await start();
    await waitFor('the wait', () => done.includes('WAITING'));
    await handle.signal(abandonSignal, { reason: 'Enough.' });
    await handle.result();
  });
  expect(done.filter((one) => one !== 'ACTIVE')).toEqual(['WAITING', 'INTERRUPTED: It was stopped.', 'ABANDONED']);
});
