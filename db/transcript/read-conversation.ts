import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { Budgets, ProjectSettings, RunAgent } from '../../domain/project/settings.ts';
import type { Message } from '../../domain/run/message.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { projects } from '../schema/projects.ts';
import { messages, runs, summaries } from '../schema/runs.ts';
import { hasPendingSteeringMessage } from '../steering/read-steering-messages.ts';
import { findSummary, type SummaryRow } from './summaries.ts';

export interface Conversation {
  /** Comma-separated models, tried in order. */
  model: string;
  /** The models that the project's settings name now; empty in a chat. */
  projectModels: Pick<ProjectSettings, 'model' | 'models'>;
  /** The project's; null in a chat. */
  budgets: Budgets | null;
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
 * Everything that a request to the model is built from, in one query: the model's name, the project's budgets, whether it is paused, and the messages
 * that no summary replaces.
 * @throws {DatabaseError} `UnknownRun` if no run has the id.
 */
export async function readConversation(query: Queryable, runId: string): Promise<Conversation> {
  const rows = await readRows(query, runId);
  const [first] = rows;
  if (!first)
    throw new DatabaseError('UnknownRun', `No run has the id "${runId}". \`longhaul sessions <project>\` lists runs.`);
  const { model, projectModels, budgets, shortenedUpTo, shortenedAtTurn, madeTools, agent, hasSteeringMessage } = first;
  const summary = first.summarizedUpTo === null ? undefined : await findSummary(query, runId, first.summarizedUpTo);
  return {
    model,
    projectModels,
    budgets,
    paused: first.status === 'PAUSED',
    shortenedUpTo,
    shortenedAtTurn,
    madeTools,
    agent,
    summary: summary ? { upToMessage: summary.upToMessage, turn: summary.turn, shown: summary.shown ?? '' } : null,
    hasSteeringMessage,
    messages: rows.flatMap(({ message }) => message ?? []),
  };
}

function readRows(query: Queryable, runId: string) {
  const { number, turn, role, content } = messages;
  // With the limit, Postgres looks the run up once; without, it would do so for each message.
  const run = query
    .select({
      id: runs.id,
      model: runs.model,
      shortenedUpTo: runs.shortenedUpTo,
      shortenedAtTurn: runs.shortenedAtTurn,
      madeTools: runs.madeTools,
      agent: runs.agent,
      status: projects.status,
      projectModels: sql<Conversation['projectModels']>`jsonb_strip_nulls(jsonb_build_object(
        'model', ${projects.settings}->'model', 'models', ${projects.settings}->'models'))`.as('project_models'),
      budgets: sql<Budgets | null>`${projects.settings}->'budgets'`.as('budgets'),
      summarizedUpTo: sql<number | null>`(select max(${summaries.upToMessage}) from ${summaries}
        where ${summaries.runId} = ${runs.id} and ${summaries.shown} is not null)`.as('summarized_up_to'),
      hasSteeringMessage: hasPendingSteeringMessage.as('has_steering_message'),
    })
    .from(runs)
    .leftJoin(projects, eq(projects.id, runs.projectId))
    .where(eq(runs.id, runId))
    .limit(1)
    .as('run');
  const isShown = or(eq(turn, 0), sql`${number} > coalesce(${run.summarizedUpTo}, -1)`);
  return query
    .select({
      model: run.model,
      shortenedUpTo: run.shortenedUpTo,
      shortenedAtTurn: run.shortenedAtTurn,
      madeTools: run.madeTools,
      agent: run.agent,
      projectModels: run.projectModels,
      budgets: run.budgets,
      status: run.status,
      summarizedUpTo: run.summarizedUpTo,
      hasSteeringMessage: run.hasSteeringMessage,
      message: { number, turn, role, content },
    })
    .from(run)
    .leftJoin(messages, and(eq(messages.runId, run.id), isShown))
    .orderBy(asc(number));
}
