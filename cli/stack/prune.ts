import { expectAddress, findAddresses } from '../../client/connection/addresses.ts';
import { createTemporalAccess } from '../../client/connection/temporal-access.ts';
import { expectWorker } from '../../client/project/expect-worker.ts';
import type { CommandContext } from '../program/command-context.ts';

/**
 * Has a worker remove the sandboxes that no live session owns; returns their names. Each worker does the same when it starts, and also removes the
 * files of deleted chats.
 */
export async function prune(context: CommandContext): Promise<string[]> {
  const configuration = await context.configuration();
  const { environment } = context;
  const { taskQueue } = configuration.temporal;
  const addresses = await findAddresses(configuration);
  const temporal = createTemporalAccess({
    configuration,
    environment,
    address: () => expectAddress(addresses, 'temporal', configuration.home),
  });
  try {
    return await temporal.use(async (client) => {
      await expectWorker(client, taskQueue);
      return client.workflow.execute<() => Promise<string[]>>('pruneSandboxesWorkflow', {
        workflowId: `sandbox-prune-${taskQueue}`,
        taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
    });
  } finally {
    await temporal.close();
  }
}
