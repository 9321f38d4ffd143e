import { Context } from '@temporalio/activity';
import { fence } from '../../agents/fence.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { addSummaryChange, changeIdOf, findChange, findSummarized } from '../../db/consolidation/changes.ts';
import { countChanges, expectConsolidation } from '../../db/consolidation/consolidations.ts';
import { createRanges } from '../../db/consolidation/create-ranges.ts';
import type { NearMemory } from '../../db/memory/consolidation/consolidation-access.ts';
import { minRelated, relatedTo } from '../../db/memory/consolidation/find-repeats.ts';
import { isInLineage } from '../../db/memory/consolidation/same-audience.ts';
import { findProject } from '../../db/project/projects.ts';
import { insertCall } from '../../db/usage/add-call.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import { scrub } from '../../domain/secrets/scrub.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { type CallContext, createModelCalls } from '../model/model-calls.ts';
import { modelFailure } from '../model/model-failure.ts';

/** Maximum number of memories per summary. */
const maxInGroup = 12;

/** Maximum characters of one memory that the model is shown. */
const charactersOfMemory = 2_000;

export interface SummaryRequestOfMemories {
  consolidation: string;
  /** The memory to summarize together with those related to it. */
  seed: string;
}

export interface SummaryOutcome {
  /** The proposed change; absent if there is no group around the memory, or none with a common subject. */
  proposed?: string;
  /** Why the configured models cannot give a summary. */
  unavailable?: string;
}

/** The activity `proposeSummary`: asks the summarizer what related memories say together, once for each group of them. */
export function createProposeSummary(dependencies: Dependencies) {
  const { database, memory, prompts, modelOf, callSettingsOf } = dependencies;
  const modelCalls = createModelCalls(dependencies);

  return async (input: SummaryRequestOfMemories): Promise<SummaryOutcome> => {
    // Before the first heartbeat, which overwrites the details that name the lost call.
    await modelCalls.recordLostCall();
    return withHeartbeat(async ({ cancel, detach, note }) => {
      const { projectId, group } = await readGroup(input.seed);
      if (group.length <= minRelated) return {};
      const sources = group.map(({ id }) => id).sort();
      const id = changeIdOf('summary', sources);
      const stored = await findChange(database, id);
      if (stored) return stored.status === 'proposed' ? { proposed: id } : {};
      const { dryRun } = await expectConsolidation(database, input.consolidation);
      if (dryRun) return {};
      try {
        const signal = AbortSignal.any([cancel, detach]);
        const answer = await ask(input.consolidation, projectId, group, { signal, note });
        const text = scrub(answer.text.trim());
        const isNone = text === '' || /^none\W*$/i.test(text);
        const { entry } = answer;
        const change = {
          id,
          consolidationId: input.consolidation,
          kind: 'summary' as const,
          status: isNone ? ('rejected' as const) : ('proposed' as const),
          memoryId: id,
          sources,
          text,
          model: entry.model,
          inputTokens: entry.inputTokens ?? null,
          outputTokens: entry.outputTokens ?? null,
          costUsd: entry.costUsd ?? null,
        };
        // The answer is paid for: a database outage must not lose it.
        await retryUntilAvailable(signal, () =>
          database.transaction(async (query) => {
            await insertCall(query, entry);
            await addSummaryChange(query, change);
          }),
        );
        return isNone ? {} : { proposed: id };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        if (error.retryable) throw modelFailure(error, { tries: Context.current().info.attempt });
        return { unavailable: preview(error.message, 300) };
      }
    });
  };

  /** The seed and the memories related to it, without those that were already summarized. */
  async function readGroup(seed: string): Promise<{ projectId?: string | undefined; group: NearMemory[] }> {
    const [memoryOfSeed] = await memory.getWithVectors([seed]);
    if (!memoryOfSeed || memoryOfSeed.supersededBy !== undefined) return { group: [] };
    const ranges = await createRanges(database)(memoryOfSeed);
    if (!isInLineage(memoryOfSeed, ranges)) return { group: [] };
    const group = relatedTo(memoryOfSeed, await memory.near(memoryOfSeed, ranges, { limit: maxInGroup - 1 }));
    const summarized = await findSummarized(
      database,
      group.map(({ id }) => id),
    );
    const { projectId } = memoryOfSeed;
    return { projectId, group: summarized.has(seed) ? [] : group.filter(({ id }) => !summarized.has(id)) };
  }

  async function countSummaries(consolidation: string): Promise<number> {
    const counts = await countChanges(database, [consolidation]);
    return counts.filter(({ kind }) => kind === 'summary').reduce((sum, { count }) => sum + count, 0);
  }

  async function ask(
    consolidation: string,
    projectId: string | undefined,
    group: readonly NearMemory[],
    { signal, note }: Pick<CallContext, 'note'> & { signal: AbortSignal },
  ) {
    const project = projectId === undefined ? undefined : await findProject(database, projectId);
    const lines = group
      .toSorted((left, right) => +left.createdAt - +right.createdAt)
      .map(({ createdAt, text }) => `- (${createdAt.toISOString().slice(0, 10)}) ${preview(text, charactersOfMemory)}`);
    const request = {
      ...callSettingsOf('summarizer'),
      messages: [
        { role: 'system' as const, content: { text: prompts.renderInstructions('memory-summary', {}) } },
        {
          role: 'user' as const,
          content: { text: prompts.render('memory-summary-task', { memories: fence('memories', lines.join('\n')) }) },
        },
      ],
      tools: [],
      labels: {
        Run: consolidation,
        Role: 'summarizer',
        // The number of this summary within the consolidation.
        Turn: String(1 + (await countSummaries(consolidation))),
        ...(projectId !== undefined && { Project: projectId }),
      },
      signal,
    };
    const place = { runId: null, purpose: 'consolidation' as const };
    return modelCalls.ask(modelOf('summarizer', project?.settings ?? {}), request, { note, place });
  }
}
