import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { reindexing } from './activities.ts';

export interface ReindexInput {
  /** The embedding model that was meant; a worker that has another one refuses. */
  model: string;
  /** Memories that runs before this one embedded, whose history had grown long. */
  embedded?: number | undefined;
}

/** Embeds the memories that have no vector of the present model, a batch after the other; searches and writes go on. */
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
