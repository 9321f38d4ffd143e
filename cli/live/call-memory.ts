import type { ProjectEventData } from '../../domain/run/event.ts';

/** Remembers a turn's tool calls until their results arrive, so that one line can show both. */
export interface CallMemory {
  /** For a completed call, the preview of the call; undefined for any other event. */
  see(event: ProjectEventData): string | undefined;
}

export function createCallMemory(): CallMemory {
  /** The calls of each run's latest turn, by run. */
  const latest = new Map<string, Array<{ preview: string }>>();
  return {
    see(event) {
      if (event.type === 'turn-completed') latest.set(event.run, event.tools);
      if (event.type === 'run-ended') latest.delete(event.run);
      return event.type === 'tool-completed' ? latest.get(event.run)?.[event.position]?.preview : undefined;
    },
  };
}
