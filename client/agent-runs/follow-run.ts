import { readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { readAgentEvents, type StoredAgentEvent } from '../../db/agent-runs/read-agent-events.ts';
import { hasEnded } from '../../domain/agent-run/status.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { ClientError, isClosed } from '../errors.ts';
import type { AnswerEvent } from '../events/answer-reader.ts';
import { poll } from '../events/poll.ts';
import { watchAnswers } from '../events/watch-answers.ts';
import type { EventsOptions, RunEvent } from './run-handle.ts';

/** The least milliseconds between two signs of life; each message of a worker is one. */
const heartbeatPause = 1_000;

/**
 * The events of a run from any place on, then those to come, until its end or until the signal aborts. Stored ones come from Postgres, once and in
 * order; the bus only says when to look, and without it they are looked for four times a second.
 */
export async function* followRun(
  database: DatabaseAccess,
  runId: string,
  { after = 0, live = true, signal }: EventsOptions = {},
): AsyncGenerator<RunEvent, void> {
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new ClientError('InvalidInput', `after: Expected the sequence of an event or 0, got ${String(after)}.`);
  }
  const left = new AbortController();
  const ended = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  /** Live events that are due, and a way to wake who waits for them. */
  let due: RunEvent[] = [];
  let wake = () => {};
  let sequence = after;
  let heartbeatAt = Number.NEGATIVE_INFINITY;
  let watching: Promise<void> | undefined;
  const asEvent = (data: object, place = { sequence, createdAt: new Date() }) =>
    ({ runId, ...place, ...data }) as unknown as RunEvent;

  function say(said: AnswerEvent): void {
    if (!live || said.type !== 'answer.delta' || said.delta.type !== 'text') return;
    due.push(asEvent({ type: 'assistant.delta', text: said.delta.text }));
    wake();
  }

  function beat(): void {
    if (!live || performance.now() - heartbeatAt < heartbeatPause) return;
    heartbeatAt = performance.now();
    due.push(asEvent({ type: 'run.heartbeat' }));
    wake();
  }

  function watch(): Promise<void> {
    const watched = watchAnswers(database, runId, say, { signal: ended, onAlive: beat, onStored: () => wake() });
    watched.catch(() => {}); // stored events come without it
    return watched;
  }

  /** Stored events, as many as there are; null at the end. */
  async function look(): Promise<StoredAgentEvent[] | null | undefined> {
    if (due.length) return [];
    return database.use(async (query) => {
      const stored = await readAgentEvents(query, runId, sequence);
      if (stored.length) return stored;
      const { status, eventCount } = await readAgentRun(query, runId);
      if (hasEnded(status) && eventCount <= sequence) return null;
      watching ??= watch(); // not for a run that has ended
      return undefined;
    });
  }

  ended.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!ended.aborted) {
      const woken = new AbortController();
      wake = () => woken.abort();
      const stored = await poll(look, { signal: woken.signal });
      const said = due;
      due = [];
      yield* said;
      if (stored === null) return;
      for (const { data, createdAt, sequence: number } of stored ?? []) {
        sequence = number;
        yield asEvent(data, { sequence, createdAt });
      }
    }
  } catch (error) {
    if (!isClosed(error)) throw error; // whoever closed the connection wants no more events
  } finally {
    left.abort();
    await watching?.catch(() => {});
  }
}
