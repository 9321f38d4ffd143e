import type { TraceContext } from '../../domain/telemetry/trace-context.ts';
import { atPlace, currentPlace } from './spans.ts';

/** The traces that a chat's messages came with, so that each answer continues that of its own message. */
export interface MessageTraces {
  /** Call this in the handler of what brings the message. */
  keep(message: string): void;
  /** Does the work for a message in its trace, or in a new one. */
  follow<Result>(message: string, work: () => Result): Result;
}

export function createMessageTraces(max: number): MessageTraces {
  const kept = new Map<string, TraceContext>();
  return {
    keep(message) {
      const { context } = currentPlace();
      if (!context) return;
      kept.set(message, context);
      for (const oldest of kept.keys()) if (kept.size > max) kept.delete(oldest);
    },
    follow(message, work) {
      const context = kept.get(message);
      kept.delete(message);
      return atPlace(context ? { context } : {}, work);
    },
  };
}
