import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLonghaul } from '../../../runtime/create-longhaul.ts';
import { type AgentLonghaul, defineAgent } from '../../../runtime/index.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The inputs of the runs, in the order in which they began. */
const begun: string[] = [];
const noter = defineAgent({
  key: 'noter',
  run: async ({ inputMessages }) => {
    begun.push(inputMessages.at(-1)?.content ?? '');
    return { finalOutput: 'noted' };
  },
});

let stack: ServiceStack;
const programs: AgentLonghaul[] = [];

beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [{ role: 'agent', after: 'never', turns: [{ text: 'Never said.' }] }] },
  });
});
afterAll(async () => {
  for (const program of programs) await program.close();
  await stack?.stop();
});

test('of runs that wait for a process, the most urgent begins first', async () => {
  const first = await program();
  await first.run(noter, 'known');
  await first.close();
  const priorities = [4, 2, 5, 1, 3, 5, 2, 1, 4, 3];
  const runs = await Promise.all(
    priorities.map((priority) => stack.longhaul.start('noter', `priority ${priority}`, { priority })),
  );
  for (const { runId } of runs) await waitFor('its work to wait in the queue', () => isWaiting(runId));
  begun.length = 0;
  const last = await program();
  void last.work();
  await Promise.all(runs.map((run) => run.result()));
  expect(begun).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map((priority) => `priority ${priority}`));
});

test.each([0, 1.5, 1_001])('a program cannot take %d runs at once', async (concurrency) => {
  await expect(createLonghaul({ agents: [noter], environment: stack.environment, concurrency })).rejects.toThrow(
    `concurrency: Expected a whole number from 1 to 1,000, got ${concurrency}`,
  );
});

/** A program that takes one run at a time. */
async function program(): Promise<AgentLonghaul> {
  const made = await createLonghaul({ agents: [noter], environment: stack.environment, concurrency: 1 });
  programs.push(made);
  return made;
}

async function isWaiting(runId: string): Promise<boolean> {
  const { Client, Connection } = await import('@temporalio/client');
  const connection = await Connection.connect({ address: stack.addresses.temporal });
  try {
    const { raw } = await new Client({ connection }).workflow.getHandle(runId).describe();
    return Boolean(raw.pendingActivities?.length);
  } finally {
    await connection.close();
  }
}

test('a program without agents is told that it has no runs to take', async () => {
  const none = await createLonghaul({ agents: [], environment: stack.environment });
  await expect(none.work()).rejects.toThrow('Expected at least one agent whose runs this program takes.');
  await none.close();
});
