import type { ProjectEventData } from '../../../db/events/event.ts';

/** Remembers what a turn asked of its tools until their results come, so that one line can tell both. */
export interface CallMemory {
  /** For a completed call, what it had asked for; undefined for any other event. */
  see(event: ProjectEventData): string | undefined;
}

export function createCallMemory(): CallMemory {
  /** By run: the calls of its latest turn that are not yet answered. */
  const open = new Map<string, Array<{ tool: string; preview: string }>>();
  return {
    see(event) {
      if (event.type === 'turn-completed') open.set(event.run, event.tools);
      if (event.type === 'run-ended') open.delete(event.run);
      if (event.type !== 'tool-completed') return undefined;
      const calls = open.get(event.run) ?? [];
      const index = calls.findIndex(({ tool }) => tool === event.tool);
      if (index < 0) return undefined;
      open.set(event.run, calls.toSpliced(index, 1));
      return calls[index]?.preview;
    },
  };
}
