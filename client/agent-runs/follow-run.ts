import { readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { readAgentEvents, type StoredAgentEvent } from '../../db/agent-runs/read-agent-events.ts';
import { hasEnded } from '../../domain/agent-run/status.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { poll } from '../events/poll.ts';
import { watchAnswers } from '../events/watch-answers.ts';
import type { EventsOptions, RunEvent } from './run-handle.ts';

/** The events of a run from any place on, then those to come, until its end or until the signal aborts. */
export async function* followRun(
  database: DatabaseAccess,
  runId: string,
  { after = 0, live = true, signal }: EventsOptions = {},
): AsyncGenerator<RunEvent, void> {
  const left = new AbortController();
  const ended = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  /** Live events that are due, and a way to wake who waits for them. */
  let due: RunEvent[] = [];
  let wake = () => {};
  let sequence = after;
  const asEvent = (data: object, place = { sequence, createdAt: new Date() }) =>
    ({ runId, ...place, ...data }) as unknown as RunEvent;
  const watching = live
    ? watchAnswers(
        database.url,
        runId,
        (said) => {
          if (said.type !== 'answer.delta' || said.delta.type !== 'text') return;
          due.push(asEvent({ type: 'assistant.delta', text: said.delta.text }));
          wake();
        },
        { signal: ended, onAlive: () => due.push(asEvent({ type: 'run.heartbeat' })) },
      )
    : undefined;
  watching?.catch(() => {}); // stored events come without it

  /** Stored events, as many as there are; null at the end. */
  async function look(): Promise<StoredAgentEvent[] | null | undefined> {
    if (due.length) return [];
    return database.use(async (query) => {
      const stored = await readAgentEvents(query, runId, sequence);
      if (stored.length) return stored;
      const { status, eventCount } = await readAgentRun(query, runId);
      return hasEnded(status) && eventCount <= sequence ? null : undefined;
    });
  }

  try {
    while (!ended.aborted) {
      const woken = new AbortController();
      wake = () => woken.abort();
      const stored = await poll(look, { signal: AbortSignal.any([ended, woken.signal]) });
      const said = due;
      due = [];
      yield* said;
      if (stored === null) return;
      for (const { data, createdAt, sequence: number } of stored ?? []) {
        sequence = number;
        yield asEvent(data, { sequence, createdAt });
      }
    }
  } finally {
    left.abort();
    await watching?.catch(() => {});
  }
}
