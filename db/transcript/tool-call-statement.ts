import { type Statement, statementOf } from '../connection/statement.ts';
import { toolCalls } from '../schema/runs.ts';

type NewToolCall = Required<typeof toolCalls.$inferInsert>;

/** Adds a finished tool call. */
export const toolCallStatement: (call: NewToolCall) => Statement = statementOf<NewToolCall>(
  (query, { runId, turn, position, name, failed, resultHash, startedAt, endedAt }) =>
    query.insert(toolCalls).values({ runId, turn, position, name, failed, resultHash, startedAt, endedAt }),
);
