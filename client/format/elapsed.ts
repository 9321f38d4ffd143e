import { formatDuration } from './duration.ts';

/** How long something took, or has taken so far. */
export function formatElapsed(from: Date, to: Date | null, now = Date.now()): string {
  return formatDuration(Math.max(0, (to?.getTime() ?? now) - from.getTime()));
}
