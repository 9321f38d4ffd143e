import type { ProjectEvent, ProjectEventData } from '../../domain/run/event.ts';
import type { LiveState } from './live-state.ts';

/** Where a followed project is shown. */
export interface ScreenWriter {
  /** Shows one event; `state` is the state after it. */
  event(event: ProjectEvent, state: LiveState): void;
  /** Reads an earlier event that the lines of shown ones may need. */
  skip?(data: ProjectEventData): void;
  /** Whether an event gets a line. */
  isShown(data: ProjectEventData): boolean;
  /** Shows the state after a piece of the model's answer; if absent, answers are not watched. */
  answer?(state: LiveState): void;
  note(text: string): void;
  close(): void;
}
