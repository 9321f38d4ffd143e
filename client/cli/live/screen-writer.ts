import type { ProjectEvent } from '../../../db/events/event.ts';
import type { LiveState } from './live-state.ts';

/** Where a followed project is shown. */
export interface ScreenWriter {
  /** One event, with the state after it. */
  event(event: ProjectEvent, state: LiveState): void;
  /** The state after a piece of what a model says; where absent, that is not asked for. */
  answer?(state: LiveState): void;
  note(text: string): void;
  close(): void;
}
