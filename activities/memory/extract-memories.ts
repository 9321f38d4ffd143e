import { Context, log } from '@temporalio/activity';
import { fence } from '../../agents/fence.ts';
import {
  type DueTurn,
  endExtraction,
  findDueTurn,
  keepFoundAnswer,
  readWordsOfTurn,
} from '../../db/chats/extractions.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { listTasks } from '../../db/tasks/tasks.ts';
import type { MemoryExtraction } from '../../domain/memory/extraction.ts';
import { ModelError, type ModelErrorCode } from '../../domain/model/model-error.ts';
import { splitModelNames } from '../../domain/model/model-name.ts';
import type { ModelMessage } from '../../domain/model/model-provider.ts';
import type { MessageContent, MessageRole } from '../../domain/run/message.ts';
import { scrub } from '../../domain/secrets/scrub.ts';
import { preview } from '../../domain/storable-text.ts';
import { formatMoment } from '../chat/describe-time.ts';
import { clip } from '../compaction/render-conversation.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { type CallContext, createModelCalls } from '../model/model-calls.ts';
import { adviceInChat, modelFailure } from '../model/model-failure.ts';
import { keepFindings } from './keep-findings.ts';
import { formatMemories, readerInBranch, searchUnreverted } from './memory.ts';
import { findFault, findingsSchema, readFindings } from './read-findings.ts';

/** An invalid answer is sent back once. */
const maxAnswers = 2;

/** A person can fix these: the turn stays due until then. */
const fixable: ModelErrorCode[] = ['ModelAuthentication', 'ModelQuotaSpent', 'ModelNotFound'];

/** What the model is shown: memories that fit, open tasks, and characters of a message. */
const shown = { memories: 12, tokens: 1_500, tasks: 20, characters: 12_000, charactersBefore: 1_500 };

/**
 * The activity `extractMemories`: asks a model what is worth keeping of the chat's first due turn, and keeps it. The answer is stored before it is
 * used, so that it is paid for once and kept once.
 */
export function createExtractMemories(dependencies: Dependencies) {
  const { database, prompts, modelOf, callSettingsOf } = dependencies;
  const modelCalls = createModelCalls(dependencies);

  return async (input: { chatId: string }): Promise<void> => {
    // Before the first heartbeat, which replaces the id of the lost call.
    await modelCalls.recordLostCall();
    return withHeartbeat(async ({ cancel, detach, note }) => {
      const signal = AbortSignal.any([cancel, detach]);
      const due = await findDueTurn(database, input.chatId);
      if (!due) return;
      try {
        await extract(due, { signal, note });
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        if (error.retryable || fixable.includes(error.code))
          throw modelFailure(error, { ...adviceInChat, tries: Context.current().info.attempt });
        await end(due, { reason: error.message });
      }
    });
  };

  async function extract(due: DueTurn, signals: Signals): Promise<void> {
    const answers = [...due.extraction.answers];
    for (;;) {
      const last = answers.at(-1);
      if (last?.complaint === null) {
        const read = readFindings(last.text);
        return end(due, 'findings' in read ? { kept: await keepFindings(dependencies, due, read.findings) } : read);
      }
      if (last && answers.length >= maxAnswers) {
        return end(due, { reason: `The model's answer was invalid: ${last.complaint}.` });
      }
      const { said, isWanted } = await ask(due, answers, signals);
      if (!isWanted) return;
      answers.push(said);
    }
  }

  async function end(due: DueTurn, outcome: Parameters<typeof endExtraction>[2] | { complaint: string }) {
    const ended = 'complaint' in outcome ? { reason: outcome.complaint } : outcome;
    if ('reason' in ended) log.warn('Memory extraction failed.', { chat: due.chatId, reason: ended.reason });
    await endExtraction(database, due, ended);
  }

  async function ask(due: DueTurn, answers: MemoryExtraction['answers'], { signal, note }: Signals) {
    // The summarizer's models, then the chat's own.
    const names = [...splitModelNames(modelOf('summarizer', {})), ...splitModelNames(due.model)];
    const { runId, turn } = due;
    // Below the -1 of the call that answered the turn.
    const place = { runId, turn, summaryUpTo: -2 - answers.length, purpose: 'extraction' as const };
    const request = {
      ...callSettingsOf('summarizer'),
      messages: [...(await describeTurn(due)), ...answers.flatMap(sentBack)],
      tools: [],
      answerSchema: findingsSchema,
      labels: { Chat: due.chatId, Run: due.runId, Role: 'summarizer', Turn: String(due.turn) },
      signal,
    };
    const answer = await modelCalls.ask([...new Set(names)].join(','), request, { note, place });
    const said = { text: scrub(answer.text), complaint: findFault(answer) };
    // An outage of the database must not lose a paid answer.
    const isWanted = await retryUntilAvailable(signal, () =>
      keepFoundAnswer(database, due, answers.length, said, answer.entry),
    );
    return { said, isWanted };
  }

  async function describeTurn(due: DueTurn): Promise<ModelMessage[]> {
    const { said, before } = await readWordsOfTurn(database, due);
    const exchange = formatWords(said, shown.characters);
    const [known, tasks] = await Promise.all([
      searchUnreverted(dependencies, {
        query: exchange,
        scope: await readerInBranch(database, due.chatId, due.runId),
        limit: shown.memories,
        tokens: shown.tokens,
      }),
      listTasks(database),
    ]);
    const variables = {
      known: fence('memories', formatMemories(known, { ids: true })),
      tasks: fence(
        'tasks',
        tasks
          .slice(0, shown.tasks)
          .map(({ title }) => `- ${preview(title, 200)}`)
          .join('\n'),
      ),
      before: fence('the conversation', formatWords(before, shown.charactersBefore), 'Nothing.'),
      date: formatMoment(due.createdAt),
      exchange: fence('the conversation', exchange),
    };
    return [
      { role: 'system', content: { text: prompts.renderInstructions('memory-extraction', {}) } },
      { role: 'user', content: { text: prompts.render('memory-extraction-task', variables) } },
    ];
  }
}

/** What one attempt works with. */
type Signals = Pick<CallContext, 'note'> & { signal: AbortSignal };

/** The messages' texts; a person's without what was appended to them. */
function formatWords(messages: Array<{ role: MessageRole; content: MessageContent }>, max: number): string {
  return messages
    .map(({ role, content }) => {
      const words = scrub(content.said ?? content.text);
      return `${role === 'user' ? 'The person' : 'The assistant'}: ${clip(words, max)}`;
    })
    .join('\n\n');
}

function sentBack({ text, complaint }: MemoryExtraction['answers'][number]): ModelMessage[] {
  return [
    { role: 'assistant', content: { text: text || '(nothing)' } },
    {
      role: 'user',
      content: { text: `Your answer is invalid: ${complaint}. Answer again with the JSON and nothing else.` },
    },
  ];
}
