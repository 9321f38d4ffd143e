import { requests } from '../activities.ts';

/**
 * Validates a tool that a person made, which the client stored as a candidate under the workflow's own id. The refusals are stored with the
 * candidate, since they may quote the output of its tests.
 */
export async function validateToolWorkflow({ id }: { id: string }): Promise<void> {
  await requests.validateTool({ id });
}
