import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { ReindexInput } from '../../domain/memory/consolidation.ts';
import { reindexing } from '../activities.ts';

/** Embeds the memories without a vector of the current model in batches; searches and writes continue meanwhile. */
export async function reindexMemoryWorkflow(input: ReindexInput): Promise<{ embedded: number }> {
  let { embedded = 0 } = input;
  for (;;) {
    const batch = await reindexing.reindexMemories({ model: input.model });
    embedded += batch.embedded;
    setCurrentDetails(`${embedded} memories embedded, ${batch.left} left`);
    if (!batch.left) return { embedded };
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof reindexMemoryWorkflow>({ ...input, embedded });
  }
}
