import ms from 'ms';
import { z } from 'zod';

type Unit =
  | ('ms' | 's' | 'm' | 'h' | 'd')
  | ('second' | 'minute' | 'hour' | 'day')
  | ('seconds' | 'minutes' | 'hours' | 'days');

/** Milliseconds, or a text such as `500ms`, `2s`, `5 minutes`, `1h`. */
export type Duration = number | `${number}${Unit}` | `${number} ${Unit}`;

/** Milliseconds of a checked duration. */
export function milliseconds(duration: Duration): number {
  return typeof duration === 'number' ? duration : ms(duration);
}

export const durationSchema = z.custom<Duration>(isDuration, {
  error: 'expected milliseconds, or a text such as "2s"',
});

/** How long something may take. */
export const timeoutSchema = durationSchema.refine((duration) => milliseconds(duration) > 0, {
  error: 'expected more than 0 ms',
  abort: true,
});

function isDuration(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0;
  const isText = typeof value === 'string' && value.length > 0 && value.length <= 100; // what `ms` reads
  return isText && ms(value as ms.StringValue) >= 0;
}
