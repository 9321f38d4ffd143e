import { Context } from '@temporalio/activity';
import { isAlreadyThere } from '../../db/connection/query-errors.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { addToOwner } from '../../db/events/add-to-owner.ts';
import { type Conversation, readConversation } from '../../db/transcript/read-conversation.ts';
import { findSummary, insertSummary, readSummaries, type SummaryRow } from '../../db/transcript/summaries.ts';
import { insertCall } from '../../db/usage/add-call.ts';
import { ModelError, type ModelErrorCode } from '../../domain/model/model-error.ts';
import { splitModelNames } from '../../domain/model/model-name.ts';
import type { SpendingStop } from '../../domain/project/budgets.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import type { ModelTurn } from '../model/ask-model.ts';
import { type Answered, type CallContext, createModelCalls } from '../model/model-calls.ts';
import { modelFailure } from '../model/model-failure.ts';
import { createOwners } from '../run/owners/create-owners.ts';
import { askSummarizer } from './ask-summarizer.ts';
import type { NeedsSummary } from './fit-conversation.ts';
import { makeSummary } from './make-summary.ts';

export type Compaction = ModelTurn & NeedsSummary['compact'];

/** What a workflow needs to know of a compaction; empty if it is done. */
export interface CompactionOutcome {
  /** Set if the model was not asked because of what was spent. */
  overBudget?: SpendingStop;
  /** Set if the project is paused, so the model was not asked. */
  paused?: true;
  /** Set if there is no usable summary: what happened. */
  failure?: string;
}

/**
 * The activity `compactRun`: puts a summary in the place of a run's messages up to one of them. The messages stay; the summary is stored
 * under that message's number and paid for once.
 */
export function createCompactRun(dependencies: Dependencies) {
  const { database, callSettingsOf, answers } = dependencies;
  const modelCalls = createModelCalls(dependencies);
  const owners = createOwners(dependencies);

  return async function compactRun(input: Compaction): Promise<CompactionOutcome> {
    const { runId, upToMessage } = input;
    await modelCalls.recordLostCall();
    const done = await findSummary(database, runId, upToMessage);
    if (done) return outcomeOf(done);
    const owner = owners[input.owner.kind];
    const stored = await readConversation(database, runId);
    // The summarizer gets no more than the run's own model, which would refuse the same.
    const conversation = { ...stored, messages: owner.selectMessages(stored.messages) };
    if (conversation.paused) return { paused: true };
    const { stop } = await owner.checkBudget(input, conversation);
    if (stop) return { overBudget: stop };
    return withHeartbeat(async ({ cancel, detach, note }) => {
      const signal = AbortSignal.any([cancel, detach]);
      try {
        const answer = await answers.attend(input.owner.id, () => ask(input, conversation, { note, signal }));
        // An outage of the database must not lose a paid answer.
        return await retryUntilAvailable(signal, () => store(input, conversation, answer));
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        if (error.retryable || !ofConversation.has(error.code))
          throw modelFailure(error, { ...owner.advice, tries: Context.current().info.attempt });
        return { failure: preview(error.message, 300) };
      }
    });
  };

  async function ask(
    input: Compaction,
    conversation: Conversation,
    { signal, note }: Pick<CallContext, 'note'> & { signal: AbortSignal },
  ) {
    const { runId, turn, upToMessage } = input;
    const { messages } = conversation;
    const earlier = await readSummaries(database, input.runId);
    return askSummarizer(
      { ...dependencies, modelCalls },
      {
        names: namesOf(input, conversation),
        settings: callSettingsOf('summarizer'),
        task: messages.find(({ turn, role }) => turn === 0 && role === 'user')?.content.text ?? taskOfChat,
        earlier: earlier.findLast(({ shown }) => shown !== null)?.written,
        messages: messages.filter(({ turn, number }) => turn > 0 && number <= input.upToMessage),
        labels: {
          [owners[input.owner.kind].label]: input.owner.id,
          Run: input.runId,
          Role: 'summarizer',
          // Which of the run's summaries it is.
          Turn: String(earlier.length + 1),
          ...(input.feature && { Feature: input.feature }),
          ...(input.attempt && { Attempt: String(input.attempt) }),
        },
        signal,
        context: { note, place: { runId, turn, summaryUpTo: upToMessage, purpose: 'summary' } },
      },
    );
  }

  /** The summarizer's models, then the run's own. */
  function namesOf(input: Compaction, conversation: Conversation): string {
    const named = dependencies.modelOf('summarizer', conversation.projectModels);
    const own = owners[input.owner.kind].modelsOf(input, conversation);
    return [...new Set([...splitModelNames(named), ...splitModelNames(own)])].join(',');
  }

  async function store(input: Compaction, conversation: Conversation, answer: Answered): Promise<CompactionOutcome> {
    const { runId, turn, upToMessage, why } = input;
    const { row, tokensBefore, tokensAfter } = await makeSummary(
      { ...dependencies, owner: owners[input.owner.kind] },
      input,
      conversation,
      answer,
    );
    try {
      await addToOwner(database, input.owner, {
        events: [
          {
            type: 'context.compacted',
            run: runId,
            turn,
            upToMessage,
            why,
            tokensBefore,
            tokensAfter,
            inputTokens: answer.usage?.inputTokens ?? null,
            outputTokens: answer.usage?.outputTokens ?? null,
            ...(row.failure !== null && { failure: row.failure }),
          },
        ],
        rows: (query) => [insertSummary(query, row), insertCall(query, answer.entry)],
      });
    } catch (error) {
      // An attempt that was presumed dead stored its summary meanwhile; the first one stays.
      const earlier = isAlreadyThere(error) ? await findSummary(database, runId, upToMessage) : undefined;
      if (!earlier) throw error;
      await insertCall(database, { ...answer.entry, outcome: 'UNUSED' });
      return outcomeOf(earlier);
    }
    return outcomeOf(row);
  }
}

/** Causes specific to the conversation, for which there is just no summary. The others stop a run as they do with its own model. */
const ofConversation: ReadonlySet<ModelErrorCode> = new Set(['ModelContextTooLong', 'ModelContentRefused']);

function outcomeOf({ failure }: Pick<SummaryRow, 'failure'>): CompactionOutcome {
  return failure === null ? {} : { failure };
}

/** Stands for the task that an agent of a project has. */
const taskOfChat = 'It talks with a person and does what they ask for.';
