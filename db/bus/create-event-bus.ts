import type { EventBusSettings } from '../../domain/event-bus-settings.ts';
import type { EventBus } from './event-bus.ts';
import { createPostgresEventBus } from './postgres-event-bus.ts';
import { createRedisEventBus } from './redis-event-bus.ts';

export interface BusOptions {
  settings: EventBusSettings;
  /** The address of Postgres, used unless the settings name another server. */
  databaseUrl: string;
  /** Called at the start of each period in which nothing arrives. */
  onTrouble(trouble: string): void;
}

/** The event bus that the settings name; it connects on first use. */
export function createEventBus({ settings, databaseUrl, onTrouble }: BusOptions): EventBus {
  if (settings.bus === 'redis') return createRedisEventBus({ url: settings.url, onTrouble });
  return createPostgresEventBus({ url: databaseUrl, onTrouble });
}
