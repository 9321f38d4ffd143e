import { Context } from '@temporalio/activity';
import type { Message } from '../../domain/run/message.ts';

/** How many answers a worker remembers, of which each may be long; one that is forgotten is read from Postgres. */
const mostAnswers = 32;

/** Answers that this worker has just stored: no call of them can have a result yet, so it need not be looked for in Postgres. */
export interface FreshAnswers {
  /** Remembers an answer that the present activity has stored. */
  add(runId: string, answer: Message): void;
  /** The answer with that number; undefined if the call at that position may have been executed before. */
  take(runId: string, number: number, position: number): Message | undefined;
}

/**
 * Remembers answers for the execution of the workflow that they were stored for. After a reset another one asks for the same calls, and a retry may
 * follow an attempt by another worker: both have to look for what was done already.
 */
export function createFreshAnswers(): FreshAnswers {
  const known = new Map<string, { answer: Message; taken: Set<number> }>();

  const keyOf = (runId: string, number: number) =>
    [Context.current().info.workflowExecution?.runId, runId, number].join(' ');

  return {
    add(runId, answer) {
      if (!answer.content.toolCalls?.length) return;
      known.set(keyOf(runId, answer.number), { answer, taken: new Set() });
      const [oldest] = known.keys();
      if (known.size > mostAnswers && oldest !== undefined) known.delete(oldest);
    },
    take(runId, number, position) {
      const fresh = known.get(keyOf(runId, number));
      if (fresh === undefined || fresh.taken.has(position) || Context.current().info.attempt > 1) return undefined;
      fresh.taken.add(position);
      if (fresh.taken.size === fresh.answer.content.toolCalls?.length) known.delete(keyOf(runId, number));
      return fresh.answer;
    },
  };
}
