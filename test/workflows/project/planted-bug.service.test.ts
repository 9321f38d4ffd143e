import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createProjectWorkflow } from '../../../client/project/project-workflow.ts';
import { findDefect } from '../../../client/project/workflow-defect.ts';
import { packageRoot } from '../../../config/package-root.ts';
import type { Claim } from '../../../domain/project/messages.ts';
import type { projectWorkflow } from '../../../workflows/project/project-workflow.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

let workflows: Workflows;
let withBug: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  workflows = await startWorkflows();
  const root = packageRoot();
  withBug = await bundleWorkflowCode({
    workflowsPath: join(root, 'workflows', 'index.ts'),
    workflowInterceptorModules: [join(root, 'test', 'fixtures', 'planted-bug.ts')],
    logger: new DefaultLogger('ERROR'),
  });
});
afterAll(() => workflows?.stop());

/**
 * The activities of a project with one feature, whose session finds its work verified already; `done` lists those that ran. The project ends after
 * `beforeEnd`.
 */
function oneFeature() {
  const done: string[] = [];
  const project: { beforeEnd?: Promise<unknown> } = {};
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
    setProjectStatus: async () => {},
    async claimFeature({ number }: { number: number }): Promise<Claim> {
      if (number > 1) {
        await project.beforeEnd;
        return { kind: 'all-passing' };
      }
      done.push('claimFeature');
      return { kind: 'feature', feature: 'x', category: 'functional', attempt: 1 };
    },
    async beginSession() {
      done.push('beginSession');
      return { ended: { kind: 'verified', commit: 'c0ffee', reason: 'green' } };
    },
    setBudget: async () => ({}),
    permitLanding: async () => ({ kind: 'granted' }),
    async mergeOntoHead({ commit, landing }: { commit: string; landing: number }) {
      done.push('mergeOntoHead');
      return { commit, landing };
    },
    async verifyEarlierFeatures() {
      done.push('verifyEarlierFeatures');
      return {};
    },
    async landCommit() {
      done.push('landCommit');
      return { landed: true };
    },
  };
  return { activities: activities as never, done, project };
}

test.each([
  ['landCommit', 'project', ''],
  ['beginSession', 'session', '-s1'],
])(
  'a bug at %s in the %s workflow is reported, and after the fix the project takes requests and continues with nothing doubled',
  async (activity, _workflow, suffix) => {
    const { activities, done, project } = oneFeature();
    const { client } = workflows;
    const workflowId = `bug-at-${activity}-${randomUUID()}`;
    const handle = await client.workflow.start<typeof projectWorkflow>('projectWorkflow', {
      ...{ workflowId, taskQueue, args: [] },
    });
    const untilTold = () =>
      waitFor('the bug to be told', async () => (await findDefect(client, workflowId)) !== undefined);
    await workflows.withActivities(activities, untilTold, withBug);
    expect(await findDefect(client, workflowId)).toEqual({
      workflow: `${workflowId}${suffix}`,
      message: 'A planted bug.',
    });
    expect(done).not.toContain(activity);
    const access = { use: <Result>(work: (one: Client) => Promise<Result>) => work(client), close: async () => {} };
    project.beforeEnd = createProjectWorkflow(access, taskQueue, workflowId).updateWithStart('setBudget', {
      ...{ scope: 'project', limits: { usd: 5 } },
    });
    await workflows.withActivities(activities, async () => {
      expect(await project.beforeEnd).toEqual({});
      expect(await handle.result()).toEqual({ status: 'COMPLETED', reason: 'Every feature passes.' });
    });
    expect(done).toEqual(['claimFeature', 'beginSession', 'mergeOntoHead', 'verifyEarlierFeatures', 'landCommit']);
    expect(await findDefect(client, workflowId)).toBeUndefined();
  },
);
