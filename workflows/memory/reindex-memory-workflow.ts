import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { reindexing } from '../activities.ts';

export interface ReindexInput {
  /** The embedding model to use; a worker that has another one refuses. */
  model: string;
  /** Memories embedded by earlier runs of this workflow, whose history had grown long. */
  embedded?: number | undefined;
}

/** Embeds the memories that have no vector of the present model, one batch after another; searches and writes continue meanwhile. */
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
