import { afterAll, beforeAll, expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProjectHandle, ProjectStatus } from '../../../client/index.ts';
import { createTestsAtOnce } from '../../support/at-once.ts';
import { type ShortHistoryServer, startShortHistoryServer } from '../../support/servers/short-history-server.ts';
import { call, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { expectCompleted, type ProjectCase, scriptOf, startCase } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';
import { expectUndamaged } from '../../support/work/expect-undamaged.ts';

/** The first of its features waits for a yes while the other is worked on. */
const long: ProjectCase = {
  features: [
    { name: 'held', work: [call('write_file', { path: '.envrc', content: 'x\n' }), writes('held')] },
    { name: 'other' },
  ],
};

const atOnce = createTestsAtOnce();
let server: ShortHistoryServer;
let stack: ServiceStack;

beforeAll(async () => {
  server = await startShortHistoryServer(35); // opening a project takes about 15, and one session adds about 25 events to the project's history and about 40 to its agent's
  stack = await startServiceStack({
    script: {
      entries: [...scriptOf({ long }).entries, { role: 'chat', after: 'Count', turns: [{ text: 'Counted.' }] }],
    },
    environment: () => ({ TEMPORAL_ADDRESS: server.address }),
  });
  await atOnce.run();
}, 1_200_000);
afterAll(async () => {
  await stack?.stop();
  await server?.stop();
});

atOnce.test(
  'a project whose history grows too long continues as new, with work that waits for a yes, across pauses and reverts, and nothing is lost or doubled',
  async () => {
    const started = await startCase(stack, 'long', long);
    const { project, folder } = started;
    const untilStatus = (wanted: ProjectStatus) =>
      waitFor(wanted, async () => (await project.status()).status === wanted);
    await untilStatus('WAITING');
    const untilRuns = (count: number) => waitFor(`run ${count}`, async () => (await runsOf(project.id)) >= count); // listings lag a moment behind
    await untilRuns(2);
    await project.pause();
    await untilStatus('PAUSED');
    await project.resume();
    await project.revert({ checkpoint: 'c2' });
    expect((await project.features()).map((feature) => feature.status)).toEqual(['INTERRUPTED', 'PASSING']);
    await project.resume();
    await untilStatus('WAITING');
    await untilRuns(3);
    const [request] = await stack.longhaul.inbox.list(project.id);
    await stack.longhaul.inbox.answer({ id: request?.id ?? '', answer: 'yes' });
    await untilStatus('COMPLETED');
    await expectCompleted(started, ['held 1 INTERRUPTED', 'other 1 PASSED', 'held 1 PASSED']);
    await expectUndamaged(project, stack.model, { folder, features: 2, commits: 3, decisions: 0, progressEntries: 5 });
    expect(await statusesOf(project)).not.toContain('FAILED'); // else followers would stop
  },
);

atOnce.test(
  'a chat whose history grows too long continues as new and loses no message that comes in the meantime',
  async () => {
    const chat = await stack.longhaul.chat('long');
    const ids = await Promise.all(Array.from({ length: 4 }, (_, index) => chat.say(`Count ${index}`)));
    await waitFor('all answers', async () => (await chat.history()).every(({ status }) => status === 'ANSWERED'));
    expect((await chat.history()).map(({ id }) => id).sort()).toEqual(ids.sort());
    await waitFor('a second run', async () => (await runsOf(chat.id ?? '')) > 1);
  },
);

/** The statuses it went through, in order. */
async function statusesOf(project: ProjectHandle): Promise<string[]> {
  return (await project.log()).flatMap(({ data }) => (data.type === 'project.changed' ? [data.status] : []));
}

/** The number of runs in the workflow's chain. */
async function runsOf(workflowId: string): Promise<number> {
  const connection = await Connection.connect({ address: server.address });
  let runs = 0;
  for await (const _ of new Client({ connection }).workflow.list({ query: `WorkflowId = "${workflowId}"` })) runs += 1;
  await connection.close();
  return runs;
}
