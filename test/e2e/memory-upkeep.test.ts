import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { smallProject, writes } from '../support/scripts.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
let connection: Connection;

beforeAll(async () => {
  stack = await startTestStack({ script: smallProject([{ name: 'note', work: [writes('note')] }]) });
  const record = (await stack.record()) as unknown as { addresses: { temporal: string } };
  connection = await Connection.connect({ address: record.addresses.temporal });
}, 180_000);
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

test('memories would never be compacted, or a second worker fail at the schedule of the first', async () => {
  const client = new Client({ connection });
  const schedule = client.schedule.getHandle('longhaul-memory-longhaul');
  await stack.kill('worker'); // the next one finds the schedule there
  await schedule.trigger();
  for (;;) {
    const { info } = await schedule.describe();
    const [action] = info.recentActions;
    if (action?.action.type === 'startWorkflow') {
      const { workflowId } = action.action.workflow;
      expect(await client.workflow.getHandle(workflowId).result()).toEqual({ rows: 0, indexed: [] });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}, 120_000);
