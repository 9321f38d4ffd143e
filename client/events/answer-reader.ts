import type { AnswerMessage, AnswerStart } from '../../db/bus/answer-messages.ts';
import type { AnswerEvent } from './answer-event.ts';

/** Puts the messages of workers in order for one watcher. */
export interface AnswerReader {
  /** Events that a message brings; `missed` where messages before it did not arrive, so that all should be asked for. */
  read(message: AnswerMessage): { events: AnswerEvent[]; missed: boolean };
}

/** Runs that are remembered; more at one time do not talk in one project. */
const mostRuns = 100;

export function createAnswerReader(): AnswerReader {
  /** By run: its latest asking, and how many of its pieces were read. */
  const latest = new Map<string, Asking & { read: number; ended: boolean }>();

  return {
    read(message) {
      const { run, turn, attempt, askedAt, why } = message;
      const known = latest.get(run);
      const isNew = known?.askedAt !== askedAt;
      if (known && (isOfBefore(message, known) || (known.ended && !isNew))) return nothing;
      if ('outcome' in message) {
        latest.set(run, { turn, attempt, askedAt, read: known?.read ?? 0, ended: true });
        return { events: isNew ? [] : [{ type: 'answer-ended', run, turn, outcome: message.outcome }], missed: false };
      }
      const read = isNew ? 0 : known.read;
      if (message.from > read) return { events: [], missed: true };
      const deltas = message.deltas.slice(read - message.from);
      latest.delete(run); // the latest is the last
      latest.set(run, { turn, attempt, askedAt, read: read + deltas.length, ended: false });
      const [oldest] = latest.keys();
      if (latest.size > mostRuns && oldest) latest.delete(oldest);
      return {
        events: [
          ...(isNew ? [{ type: 'answer-started' as const, run, turn, attempt, ...(why && { why }) }] : []),
          ...deltas.map((delta) => ({ type: 'answer-delta' as const, run, turn, delta })),
        ],
        missed: false,
      };
    },
  };
}

type Asking = Pick<AnswerStart, 'turn' | 'attempt' | 'askedAt'>;

/** Clocks of two machines differ, so that of two turns, or two tries of one, the later one may have the earlier time. */
function isOfBefore(one: Asking, latest: Asking): boolean {
  if (one.turn !== latest.turn) return one.turn < latest.turn;
  return one.askedAt < latest.askedAt && one.attempt <= latest.attempt;
}

const nothing = { events: [], missed: false };
