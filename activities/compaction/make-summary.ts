import { fence } from '../../agents/fence.ts';
import type { Conversation } from '../../db/transcript/read-conversation.ts';
import type { SummaryRow } from '../../db/transcript/summaries.ts';
import { readMessages } from '../../db/transcript/transcript.ts';
import type { ModelAnswer } from '../../domain/model/model-provider.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Owner } from '../run/owners/owner.ts';
import { charactersPerToken, estimateTokens, shortenOutput, withSummary } from './fit-context.ts';
import { formatFacts } from './format-facts.ts';
import { readFacts } from './read-facts.ts';

/** A summary that leaves more than this share of the conversation is refused, since the next one would soon follow. */
const maxLeft = 0.8;
/** The facts are shown whole up to this share of the conversation's size. */
const factsShare = 0.25;

/** Makes the row of a summary: the model's text and the facts that stand beside it verbatim, or the reason why the summary cannot be used. */
export async function makeSummary(
  { database, prompts, owner }: Pick<Dependencies, 'database' | 'prompts'> & { owner: Owner },
  input: AgentRun & { turn: number; upToMessage: number },
  conversation: Conversation,
  answer: ModelAnswer & { model: string },
): Promise<{ row: Omit<SummaryRow, 'createdAt'>; tokensBefore: number; tokensAfter: number }> {
  const { runId, turn, upToMessage } = input;
  const { messages, shortenedUpTo } = conversation;
  const size = (one: Pick<Conversation, 'messages' | 'summary'>) =>
    estimateTokens(shortenOutput(withSummary(one), shortenedUpTo));
  const tokensBefore = size(conversation);
  const rows = await readFacts(database, owner, input, await readMessages(database, runId), upToMessage);
  const facts = formatFacts(rows, factsShare * tokensBefore * charactersPerToken);
  const last = messages.findLast(({ number }) => number <= upToMessage)?.turn ?? 0;
  const cut = answer.finish === 'length' ? '\n\n[Cut off here at the token limit.]' : '';
  const summary = `${answer.text.trim()}${cut}`;
  const shown = prompts.render('summarized', {
    turn: String(last),
    ...facts,
    problems: fence('the output of commands', facts.problems),
    summary,
  });
  const kept = messages.filter((message) => message.turn === 0 || message.number > upToMessage);
  const tokensAfter = size({ messages: kept, summary: { upToMessage, turn, shown } });
  const failure = findFault(answer, tokensBefore, tokensAfter);
  const row = { runId, upToMessage, turn, written: answer.text, shown: failure ? null : shown, failure };
  return { row, tokensBefore, tokensAfter };
}

function findFault(answer: ModelAnswer & { model: string }, before: number, after: number): string | null {
  if (answer.finish === 'refusal') return `${answer.model} refused: ${preview(answer.text, 200)}`;
  if (!answer.text.trim()) return `${answer.model} gave an empty answer`;
  if (after <= maxLeft * before) return null;
  return `the summary of ${answer.model} would leave about ${after} of ${before} tokens`;
}
