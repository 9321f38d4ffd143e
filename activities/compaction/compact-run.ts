import { addToOwner } from '../../db/add-to-owner.ts';
import { findWarnings } from '../../db/budget.ts';
import { isAlreadyThere } from '../../db/is-already-there.ts';
import { outlastOutage } from '../../db/outlast-outage.ts';
import { resolveProject } from '../../db/projects.ts';
import { usage } from '../../db/schema/runs.ts';
import { preview } from '../../db/storable-text.ts';
import { type Conversation, readConversation } from '../../db/transcript/read-conversation.ts';
import { findSummary, insertSummary, readSummaries, type SummaryRow } from '../../db/transcript/summaries.ts';
import { ModelError } from '../../models/model-error.ts';
import { splitModelNames } from '../../models/model-name.ts';
import type { ModelAnswer } from '../../models/model-provider.ts';
import type { ModelTurn } from '../call-model.ts';
import { type BudgetCheck, checkBudget } from '../check-budget.ts';
import type { NeedsSummary } from '../conversation.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { modelFailure } from '../model-failure.ts';
import { usageOf } from '../usage-of.ts';
import { askSummarizer } from './ask-summarizer.ts';
import { makeSummary } from './make-summary.ts';

export type Compaction = ModelTurn & NeedsSummary['compact'];

/** What a workflow needs to know of a compaction; empty where it is done. */
export interface CompactionOutcome {
  /** Set where a budget is spent, so that the model was not asked: why, and what is left to do. */
  overBudget?: string;
  /** Set where the project is paused, so that the model was not asked. */
  paused?: true;
  /** Set where no summary can stand in for the conversation: what happened. */
  failure?: string;
}

/**
 * The activity `compactRun`: puts a summary in the place of a run's messages up to one of them. The messages stay; the summary is stored
 * under that message's number and paid for once.
 */
export function createCompactRun(dependencies: Dependencies) {
  const { database, callSettingsOf } = dependencies;

  return async function compactRun(input: Compaction): Promise<CompactionOutcome> {
    const { runId, upToMessage } = input;
    const stored = await findSummary(database, runId, upToMessage);
    if (stored) return outcomeOf(stored);
    const conversation = await readConversation(database, runId);
    if (conversation.paused) return { paused: true };
    const check = await checkBudget(database, conversation.budgets, input);
    if (check.overBudget !== undefined) return { overBudget: check.overBudget };
    return withHeartbeat(async ({ cancel, detach }) => {
      const signal = AbortSignal.any([cancel, detach]);
      const started = performance.now();
      try {
        const answer = await ask(input, conversation, signal);
        const durationMs = Math.round(performance.now() - started);
        // It is paid for: an outage of the database must not cost it.
        return await outlastOutage(signal, () => store(input, conversation, answer, durationMs, check));
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        if (error.retryable) throw modelFailure(error, input);
        return { failure: preview(error.message, 300) };
      }
    });
  };

  async function ask(input: Compaction, { messages, model }: Conversation, signal: AbortSignal) {
    const earlier = await readSummaries(database, input.runId);
    return askSummarizer(dependencies, {
      names: await namesOf(input, model),
      settings: callSettingsOf('summarizer'),
      task: messages.find(({ turn, role }) => turn === 0 && role === 'user')?.content.text ?? talkOf,
      earlier: earlier.findLast(({ shown }) => shown !== null)?.written,
      messages: messages.filter(({ turn, number }) => turn > 0 && number <= input.upToMessage),
      labels: {
        ...(input.chatId === undefined ? { Project: input.projectId } : { Chat: input.chatId }),
        Run: input.runId,
        Role: 'summarizer',
        // Its own: which of the run's summaries it is.
        Turn: String(earlier.length + 1),
        ...(input.feature && { Feature: input.feature }),
        ...(input.attempt && { Attempt: String(input.attempt) }),
      },
      signal,
    });
  }

  /** The summarizer's models, and behind them the run's own, which can do it as well. */
  async function namesOf({ projectId }: Compaction, own: string): Promise<string> {
    const project = projectId === undefined ? {} : (await resolveProject(database, projectId)).settings;
    const named = dependencies.modelOf('summarizer', project);
    return [...new Set([...splitModelNames(named), ...splitModelNames(own)])].join(',');
  }

  async function store(
    input: Compaction,
    conversation: Conversation,
    answer: ModelAnswer & { model: string },
    durationMs: number,
    { standings }: BudgetCheck,
  ): Promise<CompactionOutcome> {
    const { runId, turn, upToMessage, why } = input;
    const { row: spent, used } = usageOf(answer, durationMs);
    const { row, tokensBefore, tokensAfter } = await makeSummary(dependencies, input, conversation, answer);
    try {
      await addToOwner(database, input, {
        events: [
          {
            type: 'context-compacted',
            run: runId,
            turn,
            upToMessage,
            why,
            tokensBefore,
            tokensAfter,
            inputTokens: spent.inputTokens,
            outputTokens: spent.outputTokens,
            ...(row.failure !== null && { failure: row.failure }),
          },
          ...findWarnings(standings, { ...used, turns: 0 }).map((text) => ({ type: 'budget-warned' as const, text })),
        ],
        rows: (query) => [
          insertSummary(query, row),
          query.insert(usage).values({ runId, turn, summaryUpTo: upToMessage, ...spent }),
        ],
      });
    } catch (error) {
      // An attempt that was given up as dead stored its summary meanwhile; the first one stays.
      const earlier = isAlreadyThere(error) ? await findSummary(database, runId, upToMessage) : undefined;
      if (!earlier) throw error;
      return outcomeOf(earlier);
    }
    return outcomeOf(row);
  }
}

function outcomeOf({ failure }: Pick<SummaryRow, 'failure'>): CompactionOutcome {
  return failure === null ? {} : { failure };
}

/** In place of the task that an agent of a project has. */
const talkOf = 'It talks with a person, and does what they ask for.';
