import { createHash } from 'node:crypto';
import type { AnswerDelta } from '../transcript/message.ts';

/** One asking for an answer; the same turn is asked again where that failed. */
export interface AnswerStart {
  run: string;
  turn: number;
  attempt: number;
  /** When it was asked, in milliseconds since 1970: of two for one turn the later one counts. */
  askedAt: number;
  /** Why it is asked again, where it is not for the first time. */
  why?: string;
}

/** What a worker tells those who watch a project. */
export type AnswerMessage = AnswerStart &
  /** Pieces in order, the first of them numbered `from`; who missed one asks for all. */
  ({ from: number; deltas: AnswerDelta[] } | { outcome: 'answered' | 'failed' });

/** What a watcher tells the workers: again and again, so that they know when it is gone. */
export interface WatchMessage {
  project: string;
  /** All that was said so far of the answers under way, or only what comes. */
  wants: 'all' | 'news';
}

export const watchChannel = 'longhaul_watch';
/** A worker that begins to listen says so, so that it hears of its watchers before it asks a model. */
export const workerChannel = 'longhaul_workers';
/** Milliseconds between two messages of a watcher. */
export const watchPause = 2_000;
/** Milliseconds after its last message in which a watcher is taken to be there. */
export const watchLease = 10_000;

/** Postgres allows 63 characters for the name of a channel, and a project's id may have more. */
export function answerChannel(projectId: string): string {
  return `longhaul_answers_${createHash('sha256').update(projectId).digest('hex').slice(0, 32)}`;
}
