import type { AnswerDelta } from '../../domain/run/message.ts';

/** A piece of what a project's models are saying right now; not stored, but the finished text is in the transcript. */
export type AnswerEvent =
  /** The model is asked; a second one for the same turn means that it is asked again and its text starts over. */
  | { type: 'answer-started'; run: string; turn: number; attempt: number; why?: string }
  | { type: 'answer-delta'; run: string; turn: number; delta: AnswerDelta }
  | { type: 'answer-ended'; run: string; turn: number; outcome: 'answered' | 'failed' };
