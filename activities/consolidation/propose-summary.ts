import { addSummaryChange, changeIdOf, findChange, findSummarized } from '../../db/consolidation/changes.ts';
import { countChanges, expectConsolidation } from '../../db/consolidation/consolidations.ts';
import { createRanges } from '../../db/consolidation/create-ranges.ts';
import type { NearMemory } from '../../db/memory/consolidation/consolidation-access.ts';
import { fewestRelated, relatedTo } from '../../db/memory/consolidation/find-repeats.ts';
import { isInLineage } from '../../db/memory/consolidation/same-audience.ts';
import { removeSecrets } from '../../db/memory/quality/secrets.ts';
import { findProject } from '../../db/projects.ts';
import { preview } from '../../db/storable-text.ts';
import { ModelError } from '../../models/model-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { modelFailure } from '../model-failure.ts';
import { usageOf } from '../usage-of.ts';

/** Memories of one summary. */
const mostOfGroup = 12;

/** Characters of one memory that the model is shown. */
const charactersOfMemory = 2_000;

export interface SummaryRequestOfMemories {
  consolidation: string;
  /** The memory around which the others lie. */
  seed: string;
}

export interface SummaryOutcome {
  /** The change that was proposed; absent where there is no group around the memory, or none that has a common subject. */
  proposed?: string;
  /** Why no summary can be had from the models that are set. */
  unavailable?: string;
}

/** The activity `proposeSummary`: asks the summarizer what related memories say together, once for each group of them. */
export function createProposeSummary(dependencies: Dependencies) {
  const { database, memory, models, prompts, modelOf, callSettingsOf } = dependencies;

  return (input: SummaryRequestOfMemories): Promise<SummaryOutcome> =>
    withHeartbeat(async ({ cancel, detach }) => {
      const { projectId, group } = await readGroup(input.seed);
      if (group.length <= fewestRelated) return {};
      const sources = group.map(({ id }) => id).sort();
      const id = changeIdOf('summary', sources);
      const stored = await findChange(database, id);
      if (stored) return stored.status === 'proposed' ? { proposed: id } : {};
      const { dryRun } = await expectConsolidation(database, input.consolidation);
      if (dryRun) return {};
      try {
        const answer = await ask(input.consolidation, projectId, group, AbortSignal.any([cancel, detach]));
        const text = removeSecrets(answer.text.trim());
        const isNone = text === '' || /^none\W*$/i.test(text);
        const { row } = usageOf(answer, 0);
        await addSummaryChange(database, {
          id,
          consolidationId: input.consolidation,
          kind: 'summary',
          status: isNone ? 'rejected' : 'proposed',
          memoryId: id,
          sources,
          text,
          model: row.model,
          inputTokens: row.inputTokens,
          outputTokens: row.outputTokens,
          costUsd: row.costUsd,
        });
        return isNone ? {} : { proposed: id };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        if (error.retryable) throw modelFailure(error);
        return { unavailable: preview(error.message, 300) };
      }
    });

  /** The seed and what is related to it, without what a summary was written of already. */
  async function readGroup(seed: string): Promise<{ projectId?: string | undefined; group: NearMemory[] }> {
    const [memoryOfSeed] = await memory.getWithVectors([seed]);
    if (!memoryOfSeed || memoryOfSeed.supersededBy !== undefined) return { group: [] };
    const ranges = await createRanges(database)(memoryOfSeed);
    if (!isInLineage(memoryOfSeed, ranges)) return { group: [] };
    const group = relatedTo(memoryOfSeed, await memory.near(memoryOfSeed, ranges, { limit: mostOfGroup - 1 }));
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
    signal: AbortSignal,
  ) {
    const project = projectId === undefined ? undefined : await findProject(database, projectId);
    const lines = group
      .toSorted((left, right) => +left.createdAt - +right.createdAt)
      .map(({ createdAt, text }) => `- (${createdAt.toISOString().slice(0, 10)}) ${preview(text, charactersOfMemory)}`);
    return models.complete(modelOf('summarizer', project?.settings ?? {}), {
      ...callSettingsOf('summarizer'),
      messages: [
        { role: 'system', content: { text: prompts.render('memory-summary', {}) } },
        { role: 'user', content: { text: prompts.render('memory-summary-task', { memories: lines.join('\n') }) } },
      ],
      tools: [],
      labels: {
        Run: consolidation,
        Role: 'summarizer',
        // Which of the consolidation's summaries it is.
        Turn: String(1 + (await countSummaries(consolidation))),
        ...(projectId !== undefined && { Project: projectId }),
      },
      signal,
    });
  }
}
