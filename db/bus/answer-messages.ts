import { createHash } from 'node:crypto';
import type { AnswerDelta } from '../../domain/run/message.ts';

/** One request for an answer; a failed one is repeated for the same turn. */
export interface AnswerStart {
  run: string;
  turn: number;
  attempt: number;
  /** When it was asked, in milliseconds since 1970; of two for the same turn, the later one counts. */
  askedAt: number;
  /** Why it is asked again; absent on the first attempt. */
  why?: string;
}

/** Sent by a worker to those who watch a project or chat. */
export type AnswerMessage = AnswerStart &
  /** Consecutive pieces, the first of them numbered `from`; a watcher that missed one asks for all. */
  (
    | { from: number; deltas: AnswerDelta[] }
    /** `failure`: why it is asked again after a pause. */
    | { outcome: 'answered' | 'failed'; failure?: string }
  );

/** Sent by a worker about a running tool call: the last line that it has written. */
export interface CallMessage {
  /** The call's id: run, turn and position. */
  call: string;
  line: string;
}

/** Sent by a worker while it works for a project or chat, so that those who watch notice its death. */
export interface AliveMessage {
  alive: true;
}

/** Sent by whoever added events to a run, so that its watchers read them at once. */
export interface StoredMessage {
  stored: true;
}

/** Sent by a watcher to the workers, repeatedly, so that they notice when it is gone. */
export interface WatchMessage {
  /** The id of a project or chat. */
  owner: string;
  /** Everything so far of the answers in progress, or only what follows. */
  wants: 'all' | 'news';
}

export const watchChannel = 'longhaul_watch';
/** A worker that begins to listen announces itself here, so that it learns of its watchers before it asks a model. */
export const workerChannel = 'longhaul_workers';
/** Milliseconds between two messages of a watcher. */
export const watchPause = 2_000;
/** Milliseconds between two signs of life of a worker. */
export const alivePause = 2_000;
/** Milliseconds after its last message for which a watcher counts as present. */
export const watchLease = 10_000;

/** A hash, since Postgres limits channel names to 63 characters and an id may be longer. */
export function answerChannel(owner: string): string {
  return `longhaul_answers_${createHash('sha256').update(owner).digest('hex').slice(0, 32)}`;
}
