import type { Message } from '../../domain/run/message.ts';

/** Runs whose messages are kept: more than a worker has in work at once. */
const maxRuns = 32;

/** What a worker has read of its runs' conversations, so that a turn's cost does not grow with them. */
export interface KnownMessages {
  of(runId: string): Message[];
  keep(runId: string, messages: Message[]): void;
}

/** Messages are only added, and what precedes an answer was there when it was given: up to its last answer a conversation stays as it was read. */
export function createKnownMessages(): KnownMessages {
  const byRun = new Map<string, Message[]>();
  return {
    of: (runId) => byRun.get(runId) ?? [],
    keep(runId, messages) {
      byRun.delete(runId); // reinserted, so that the latest comes last
      byRun.set(runId, messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1));
      const [oldest] = byRun.keys();
      if (byRun.size > maxRuns && oldest !== undefined) byRun.delete(oldest);
    },
  };
}
