import type { AnswerDelta } from '../../db/transcript/message.ts';

/** What is said at the moment in a project; none of it is kept, the transcript has what was said in the end. */
export type AnswerEvent =
  /** The model is asked; a second one for the same turn means that it is asked again, and its text starts again. */
  | { type: 'answer-started'; run: string; turn: number; attempt: number; why?: string }
  | { type: 'answer-delta'; run: string; turn: number; delta: AnswerDelta }
  | { type: 'answer-ended'; run: string; turn: number; outcome: 'answered' | 'failed' };
