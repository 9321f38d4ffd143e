import type { ProjectEventData } from '../../../db/events/event.ts';

/** Remembers what a turn asked of its tools until their results come, so that one line can tell both. */
export interface CallMemory {
  /** For a completed call, what it had asked for; undefined for any other event. */
  see(event: ProjectEventData): string | undefined;
}

export function createCallMemory(): CallMemory {
  /** By run: the calls of its latest turn. */
  const latest = new Map<string, Array<{ preview: string }>>();
  return {
    see(event) {
      if (event.type === 'turn-completed') latest.set(event.run, event.tools);
      if (event.type === 'run-ended') latest.delete(event.run);
      return event.type === 'tool-completed' ? latest.get(event.run)?.[event.position]?.preview : undefined;
    },
  };
}
