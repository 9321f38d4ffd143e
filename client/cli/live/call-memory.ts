import type { ProjectEventData } from '../../../db/events/event.ts';

type ToolEvent = Extract<ProjectEventData, { type: 'tool-started' | 'tool-completed' }>;

/** Remembers what was asked of a tool until its result comes, so that one line can tell both. */
export interface CallMemory {
  started(event: ToolEvent): void;
  /** What the earliest open call of this tool asked for. */
  completed(event: ToolEvent): string | undefined;
}

export function createCallMemory(): CallMemory {
  const open = new Map<string, string[]>();
  const key = ({ run, turn, tool }: ToolEvent) => `${run} ${turn} ${tool}`;
  return {
    started(event) {
      open.set(key(event), [...(open.get(key(event)) ?? []), event.preview]);
    },
    completed(event) {
      const [first, ...others] = open.get(key(event)) ?? [];
      if (others.length) open.set(key(event), others);
      else open.delete(key(event));
      return first;
    },
  };
}
