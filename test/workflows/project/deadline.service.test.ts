import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Context } from '@temporalio/activity';
import type { AnswerSignal } from '../../../domain/permissions/request.ts';
import type { projectWorkflow } from '../../../workflows/project/project-workflow.ts';
import { startTestServer } from '../../support/servers/start-test-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

const week = 7 * 24 * 3_600_000;

let server: Awaited<ReturnType<typeof startTestServer>>;
let workflows: Workflows;
beforeAll(async () => {
  server = await startTestServer();
  workflows = await startWorkflows({ address: server.address });
});
afterAll(async () => {
  await workflows?.stop();
  await server?.stop();
});

test('a project that nobody answers for seven days gets the default answer', async () => {
  const now = () => Context.current().info.scheduledTimestampMs;
  let opened = 0;
  const answers: Array<AnswerSignal & { by: string; after: number }> = [];
  const activities = {
    async createProject() {
      opened = now();
      const deadline = { id: '1a2b3c4d', deadline: new Date(opened + week).toISOString(), answer: 'yes' };
      return {
        ...{ status: 'WAITING', reason: 'It waits for a person.', planned: true, proposed: false, planning: 1 },
        ...{ settings: { maxAttempts: 3, network: 'none' }, sessions: 0, left: [], head: null, deadline },
      };
    },
    setProjectStatus: async () => {},
    async answerRequest({ projectId: _, ...answer }: AnswerSignal & { projectId: string; by: string }) {
      answers.push({ ...answer, after: now() - opened });
      return { id: answer.id, answer: answer.answer, kind: 'spend' };
    },
    readDeadline: async () => null,
    unblockFeatures: async () => 0,
    claimFeature: async () => ({ kind: 'all-passing' }),
  };
  await workflows.withActivities(activities as never, async () => {
    await workflows.client.workflow.start<typeof projectWorkflow>('projectWorkflow', {
      ...{ workflowId: randomUUID(), taskQueue, args: [] },
    });
    await waitFor('the deadline', () => answers.length > 0); // it waits on, until the server has skipped to the end of its time
  });
  expect(answers).toEqual([{ id: '1a2b3c4d', answer: 'yes', by: 'deadline', after: expect.any(Number) }]);
  expect(answers[0]?.after).toBeGreaterThanOrEqual(week);
  expect(answers[0]?.after).toBeLessThan(week + 60_000);
});
