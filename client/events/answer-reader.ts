import type { AnswerMessage, AnswerStart, CallMessage } from '../../db/bus/answer-messages.ts';
import type { AnswerDelta } from '../../domain/run/message.ts';

/** Puts workers' messages in order for one watcher. */
export interface AnswerReader {
  /** Returns the events in a message; `missed` means that earlier messages did not arrive, so all should be requested again. */
  read(message: AnswerMessage | CallMessage): { events: AnswerEvent[]; missed: boolean };
}

/** How many runs are remembered; no project has more models answering at once. */
const maxRuns = 100;

export function createAnswerReader(): AnswerReader {
  /** By run, the latest time its model was asked, and how many pieces of that answer were read. */
  const latest = new Map<string, Asking & { read: number; ended: boolean }>();

  return {
    read(message) {
      if ('line' in message) return { events: [{ type: 'tool.output', ...message }], missed: false };
      const { run, turn, attempt, askedAt, why } = message;
      const known = latest.get(run);
      const isNew = known?.askedAt !== askedAt;
      if (known && (isOfBefore(message, known) || (known.ended && !isNew))) return nothing;
      if ('outcome' in message) {
        latest.set(run, { turn, attempt, askedAt, read: known?.read ?? 0, ended: true });
        const { outcome, failure } = message;
        const end = { type: 'answer.ended' as const, run, turn, outcome, ...(failure && { failure }) };
        return { events: isNew ? [] : [end], missed: false };
      }
      const read = isNew ? 0 : known.read;
      if (message.from > read) return { events: [], missed: true };
      const deltas = message.deltas.slice(read - message.from);
      latest.delete(run); // reinserted below, so that the latest comes last
      latest.set(run, { turn, attempt, askedAt, read: read + deltas.length, ended: false });
      const [oldest] = latest.keys();
      if (latest.size > maxRuns && oldest) latest.delete(oldest);
      return {
        events: [
          ...(isNew ? [{ type: 'answer.asked' as const, run, turn, attempt, ...(why && { why }) }] : []),
          ...deltas.map((delta) => ({ type: 'answer.delta' as const, run, turn, delta })),
        ],
        missed: false,
      };
    },
  };
}

type Asking = Pick<AnswerStart, 'turn' | 'attempt' | 'askedAt'>;

/** Time alone does not decide: the clocks of two machines differ, so a later turn or attempt may carry an earlier time. */
function isOfBefore(one: Asking, latest: Asking): boolean {
  if (one.turn !== latest.turn) return one.turn < latest.turn;
  return one.askedAt < latest.askedAt && one.attempt <= latest.attempt;
}

const nothing = { events: [], missed: false };

/** A piece of what a project's models are saying right now; not stored, but the finished text is in the transcript. */
export type AnswerEvent =
  /** The model is asked; a second one for the same turn means that it is asked again and its text starts over. */
  | { type: 'answer.asked'; run: string; turn: number; attempt: number; why?: string }
  | { type: 'answer.delta'; run: string; turn: number; delta: AnswerDelta }
  /** `failure` says why the model is asked again after a pause. */
  | { type: 'answer.ended'; run: string; turn: number; outcome: 'answered' | 'failed'; failure?: string }
  /** The last line that a running tool call has written. */
  | { type: 'tool.output'; call: string; line: string };
