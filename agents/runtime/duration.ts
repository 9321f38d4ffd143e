import ms from 'ms';
import { AgentError } from './agent-error.ts';

type Unit =
  | ('ms' | 's' | 'm' | 'h' | 'd')
  | ('second' | 'minute' | 'hour' | 'day')
  | ('seconds' | 'minutes' | 'hours' | 'days');

/** Milliseconds, or a text such as `500ms`, `2s`, `5 minutes`, `1h`. */
export type Duration = number | `${number}${Unit}` | `${number} ${Unit}`;

/**
 * A duration in milliseconds.
 * @throws {AgentError} `InvalidDefinition`
 */
export function milliseconds(duration: Duration, of: string): number {
  const parsed = typeof duration === 'number' ? duration : ms(duration);
  if (Number.isFinite(parsed) && parsed >= 0) return parsed;
  throw new AgentError(
    'InvalidDefinition',
    `Expected ${of} in milliseconds or as a text such as "2s", got ${JSON.stringify(duration)}.`,
  );
}
