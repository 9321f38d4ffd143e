import { ConfigurationError } from '../../domain/configuration-error.ts';
import type { EventBusSettings } from '../../domain/event-bus-settings.ts';

/**
 * Reads LONGHAUL_EVENT_BUS: `postgres`, the default, or the address of a Redis server.
 * @throws {ConfigurationError}
 */
export function readEventBusSettings(value: string | undefined): EventBusSettings {
  if (value === undefined || value === 'postgres') return { bus: 'postgres' };
  if (/^rediss?:\/\//.test(value) && URL.canParse(value)) return { bus: 'redis', url: value };
  const got = value.includes('@') ? 'an address of another kind' : `"${value}"`; // it may hold a password
  throw new ConfigurationError(
    `Expected LONGHAUL_EVENT_BUS to be "postgres" or the address of a Redis server, such as redis://127.0.0.1:6379; got ${got}.`,
  );
}
