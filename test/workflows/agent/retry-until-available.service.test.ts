import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { terminalFailure } from '../../../activities/failures.ts';
import type { subAgentWorkflow } from '../../../workflows/session/sub-agent-workflow.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

let workflows: Workflows;

beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

function start(id: string, { projectId, paused }: { projectId: string; paused: boolean }) {
  const run = { owner: { kind: 'project' as const, id: projectId }, runId: id, role: 'code' as const, sandbox: id };
  const args: Parameters<typeof subAgentWorkflow> = [{ run, paused }];
  return workflows.client.workflow.start<typeof subAgentWorkflow>('subAgentWorkflow', {
    workflowId: id,
    taskQueue,
    args,
  });
}

test('a night without Postgres ends nothing and loses nothing', async () => {
  const asked: number[] = [];
  const rested: string[] = [];
  const outcome = await workflows.withActivities(
    {
      startRun: async () => ({ maxTurns: 5 }),
      async callModel({ turn }) {
        asked.push(turn);
        // As after the last of its tries.
        if (asked.length === 2) throw terminalFailure('DatabaseUnavailable', 'Postgres could not be reached.');
        return {
          messageNumber: 2 * turn,
          calls: [{ position: 0, name: 'read_file', readOnly: true, summary: 'read_file' }],
        };
      },
      runTool: async ({ turn }) => ({
        ...{ callHash: `call ${turn}`, resultHash: `result ${turn}`, failed: false, preview: 'Done.' },
        ...(turn === 2 && { ends: 'FINISHED' as const }),
      }),
      endRun: async () => {},
      async stopSandbox({ sandbox }) {
        rested.push(sandbox);
      },
    },
    async () => {
      const project = await start('project', { projectId: 'project', paused: true }); // it takes the signal
      const handle = await start('agent', { projectId: 'project', paused: false });
      await waitFor('it to wait', () => rested.includes('agent'));
      await handle.signal('resume');
      const result = await handle.result();
      await project.terminate();
      return result;
    },
  );
  expect(outcome).toEqual({ status: 'FINISHED', reason: 'Done.' });
  expect(asked).toEqual([1, 2, 2]);
});
