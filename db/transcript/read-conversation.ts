import { and, asc, eq, gt, or, sql } from 'drizzle-orm';
import type { RuleTexts } from '../../domain/permissions/rule.ts';
import type { Budgets, ProjectSettings, RunAgent } from '../../domain/project/settings.ts';
import type { Message } from '../../domain/run/message.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { projects } from '../schema/projects.ts';
import { messages, runs, summaries } from '../schema/runs.ts';
import { hasPendingSteeringMessage } from '../steering/read-steering-messages.ts';
import { createKnownMessages, type KnownMessages } from './known-messages.ts';
import { findSummary, type SummaryRow } from './summaries.ts';

export interface Conversation {
  /** Comma-separated models, tried in order. */
  model: string;
  /** The models that the project's settings name now; empty in a chat. */
  projectModels: Pick<ProjectSettings, 'model' | 'models'>;
  /** The project's; null in a chat. */
  budgets: Budgets | null;
  /** The project's own rules; null if it has none, and in a chat. */
  permissions: RuleTexts | null;
  /** Whether the project is paused. */
  paused: boolean;
  /** Versions of made tools that are offered to the model. */
  madeTools: string[];
  /** The agent that answers; null if it has always been the assistant. */
  agent: RunAgent | null;
  /** Number of the last message whose tool output is shortened. */
  shortenedUpTo: number;
  /** The first turn for which that applies. */
  shortenedAtTurn: number;
  /** Replaces the older messages, except those from before the first turn. */
  summary: (Pick<SummaryRow, 'upToMessage' | 'turn'> & { shown: string }) | null;
  /** Whether a person's message for the run has yet to be delivered. */
  hasSteeringMessage: boolean;
  /** Those that the summary does not replace. */
  messages: Message[];
}

/**
 * Everything that a request to the model is built from: the model's name, the project's budgets, whether it is paused, and the messages that no
 * summary replaces. Of the messages, only those that are not known yet are read.
 * @throws {DatabaseError} `UnknownRun` if no run has the id.
 */
export async function readConversation(
  query: Queryable,
  runId: string,
  known: KnownMessages = createKnownMessages(),
): Promise<Conversation> {
  const [run] = await readRun(query, runId);
  if (!run)
    throw new DatabaseError('UnknownRun', `No run has the id "${runId}". \`longhaul sessions <project>\` lists runs.`);
  const { status, summarizedUpTo, ...read } = run;
  const summary = summarizedUpTo === null ? undefined : await findSummary(query, runId, summarizedUpTo);
  const summarized = summarizedUpTo ?? -1;
  const earlier = known.of(runId).filter(({ turn, number }) => turn === 0 || number > summarized);
  const messages = [...earlier, ...(await readMessages(query, runId, { summarized, from: earlier.at(-1)?.number }))];
  known.keep(runId, messages);
  return {
    ...read,
    paused: status === 'PAUSED',
    summary: summary ? { upToMessage: summary.upToMessage, turn: summary.turn, shown: summary.shown ?? '' } : null,
    messages,
  };
}

function readRun(query: Queryable, runId: string) {
  return query
    .select({
      model: runs.model,
      shortenedUpTo: runs.shortenedUpTo,
      shortenedAtTurn: runs.shortenedAtTurn,
      madeTools: runs.madeTools,
      agent: runs.agent,
      status: projects.status,
      projectModels: sql<Conversation['projectModels']>`jsonb_strip_nulls(jsonb_build_object(
        'model', ${projects.settings}->'model', 'models', ${projects.settings}->'models'))`,
      budgets: sql<Budgets | null>`${projects.settings}->'budgets'`,
      permissions: sql<RuleTexts | null>`${projects.settings}->'permissions'`,
      summarizedUpTo: sql<number | null>`(select max(${summaries.upToMessage}) from ${summaries}
        where ${summaries.runId} = ${runs.id} and ${summaries.shown} is not null)`,
      hasSteeringMessage: hasPendingSteeringMessage,
    })
    .from(runs)
    .leftJoin(projects, eq(projects.id, runs.projectId))
    .where(eq(runs.id, runId));
}

/** The messages after number `from` that no summary replaces; those from before the first turn are never replaced. */
function readMessages(
  query: Queryable,
  runId: string,
  { summarized, from = -1 }: { summarized: number; from?: number | undefined },
): Promise<Message[]> {
  const { number, turn, role, content } = messages;
  return query
    .select({ number, turn, role, content })
    .from(messages)
    .where(and(eq(messages.runId, runId), gt(number, from), or(eq(turn, 0), gt(number, summarized))))
    .orderBy(asc(number));
}
