import {
  ActivityFailure,
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { SummaryOutcome } from '../../activities/memory/propose-summary.ts';
import type {
  ChangeCount,
  ConsolidationInput,
  ConsolidationOutcome,
  ConsolidationProgress,
  ConsolidationStatus,
} from '../../domain/memory/consolidation.ts';
import { model, consolidation as store } from '../activities.ts';

/** Seeds per wanted summary: groups overlap, so most summaries take this many. */
const seedsOfSummary = 3;

const defaultSummaries = 10;

/** Goes through the memories in batches, merges duplicates, then proposes summaries of related ones; started by hand or by a schedule. */
export async function consolidateMemoryWorkflow(input: ConsolidationInput): Promise<ConsolidationOutcome> {
  const progress = input.progress ?? { id: await begin(input), after: undefined, looked: 0, seeds: [] };
  try {
    await mergeAll(input, progress);
    const remark = await proposeAll(input, progress);
    const changes = await end(progress, 'completed', remark);
    const { id, looked } = progress;
    return { id, looked, changes, ...(remark !== undefined && { remark }) };
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 300) : undefined;
    await CancellationScope.nonCancellable(() => end(progress, isCancellation(error) ? 'cancelled' : 'failed', reason));
    throw error;
  }
}

async function begin({ projectId, dryRun = false, onlyNew = false }: ConsolidationInput): Promise<string> {
  const { workflowId, runId } = workflowInfo();
  const id = `consolidation-${uuid4().slice(0, 8)}`;
  await store.beginConsolidation({ id, projectId, dryRun, onlyNew, workflowId, workflowRunId: runId });
  return id;
}

async function mergeAll(input: ConsolidationInput, progress: ConsolidationProgress): Promise<void> {
  const most = (input.summaries ?? defaultSummaries) * seedsOfSummary;
  for (let first = !input.progress; first || progress.after; first = false) {
    const { id, after, seeds } = progress;
    const batch = await store.mergeRepeats({ consolidation: id, ...(after && { after }), seeds: most - seeds.length });
    progress.after = batch.next;
    progress.looked += batch.looked;
    progress.seeds.push(...batch.seeds);
    setCurrentDetails(`${id}: looked at ${progress.looked} memories`);
    if (progress.after && workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof consolidateMemoryWorkflow>({ ...input, progress });
  }
}

/** Returns what was skipped, and why. */
async function proposeAll(
  input: ConsolidationInput,
  { id, seeds }: ConsolidationProgress,
): Promise<string | undefined> {
  if (input.dryRun) return undefined;
  const most = input.summaries ?? defaultSummaries;
  let proposed = 0;
  for (const seed of seeds) {
    if (proposed >= most) break;
    const outcome = await propose(id, seed);
    if (outcome.unavailable !== undefined) return `No summaries were proposed: ${outcome.unavailable}`;
    if (outcome.proposed !== undefined) proposed += 1;
  }
  return undefined;
}

/** If the model stays unavailable, only the summaries are skipped, not the merges. */
async function propose(consolidation: string, seed: string): Promise<SummaryOutcome> {
  try {
    return await model.proposeSummary({ consolidation, seed });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return { unavailable: (error.cause ?? error).message.slice(0, 300) };
  }
}

function end(
  { id, looked }: ConsolidationProgress,
  status: ConsolidationStatus,
  remark: string | undefined,
): Promise<ChangeCount[]> {
  return store.endConsolidation({ consolidation: id, status, looked, ...(remark !== undefined && { remark }) });
}
