import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { createProjectWorkflow } from '../../../client/project/project-workflow.ts';
import { findDefect } from '../../../client/project/workflow-defect.ts';
import { packageRoot } from '../../../config/package-root.ts';
import type { Claim } from '../../../domain/project/messages.ts';
import type { projectWorkflow } from '../../../workflows/project/project-workflow.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

let workflows: Workflows | undefined;
afterAll(() => workflows?.stop());

/** The workflows with a bug where one whose id contains `bug-at-<activity>` schedules that activity. */
function bundleWithBug() {
  const root = packageRoot();
  return bundleWorkflowCode({
    workflowsPath: join(root, 'workflows', 'index.ts'),
    workflowInterceptorModules: [join(root, 'test', 'fixtures', 'planted-bug.ts')],
    logger: new DefaultLogger('ERROR'),
  });
}

/**
 * The activities of projects with one feature, whose session finds its work verified already; `done` lists those that ran for a project. The projects
 * end after `beforeEnd`.
 */
function oneFeature() {
  const done: Record<string, string[]> = {};
  const projects: { beforeEnd?: Promise<unknown> } = {};
  function doing(activity: string): void {
    const project = activityInfo().workflowExecution?.workflowId.replace(/-s1$/, '') ?? '';
    done[project] = [...(done[project] ?? []), activity];
  }
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
        await projects.beforeEnd;
        return { kind: 'all-passing' };
      }
      doing('claimFeature');
      return { kind: 'feature', feature: 'x', category: 'functional', attempt: 1 };
    },
    async beginSession() {
      doing('beginSession');
      return { ended: { kind: 'verified', commit: 'c0ffee', reason: 'green' } };
    },
    setBudget: async () => ({}),
    permitLanding: async () => ({ kind: 'granted' }),
    async mergeOntoHead({ commit, landing }: { commit: string; landing: number }) {
      doing('mergeOntoHead');
      return { commit, landing };
    },
    async verifyEarlierFeatures() {
      doing('verifyEarlierFeatures');
      return {};
    },
    async landCommit() {
      doing('landCommit');
      return { landed: true };
    },
  };
  return { activities: activities as never, done, projects };
}

test('a bug in the project or the session workflow is reported, and after the fix the project takes requests and continues with nothing doubled', async () => {
  const { activities, done, projects } = oneFeature();
  const [inProject, inSession] = [`bug-at-landCommit-${randomUUID()}`, `bug-at-beginSession-${randomUUID()}`];
  const ids = [inProject, inSession];

  const withBug = await startWorkflows({ bundle: await bundleWithBug() });
  workflows = withBug;
  await withBug.withActivities(activities, async () => {
    const { client } = withBug;
    for (const workflowId of ids)
      await client.workflow.start<typeof projectWorkflow>('projectWorkflow', { workflowId, taskQueue, args: [] });
    for (const id of ids) await waitFor('the bug to be told', async () => (await findDefect(client, id)) !== undefined);
  });
  const message = 'A planted bug.';
  expect(await findDefect(withBug.client, inProject)).toEqual({ workflow: inProject, message });
  expect(await findDefect(withBug.client, inSession)).toEqual({ workflow: `${inSession}-s1`, message });
  expect(done).toEqual({
    [inProject]: ['claimFeature', 'beginSession', 'mergeOntoHead', 'verifyEarlierFeatures'],
    [inSession]: ['claimFeature'],
  });
  await withBug.stop();

  const fixed = await startWorkflows();
  workflows = fixed;
  const { client } = fixed;
  const access = { use: <Result>(work: (one: Client) => Promise<Result>) => work(client), close: async () => {} };
  const raiseBudget = (id: string) =>
    createProjectWorkflow(access, taskQueue, id).updateWithStart('setBudget', {
      ...{ scope: 'project', limits: { usd: 5 } },
    });
  projects.beforeEnd = Promise.all(ids.map(raiseBudget));
  await fixed.withActivities(activities, async () => {
    expect(await projects.beforeEnd).toEqual([{}, {}]);
    for (const id of ids)
      expect(await client.workflow.getHandle(id).result()).toEqual({
        status: 'COMPLETED',
        reason: 'Every feature passes.',
      });
  });
  const all = ['claimFeature', 'beginSession', 'mergeOntoHead', 'verifyEarlierFeatures', 'landCommit'];
  expect(done).toEqual({ [inProject]: all, [inSession]: all });
  for (const id of ids) expect(await findDefect(client, id)).toBeUndefined();
});
