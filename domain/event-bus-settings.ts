/** What carries messages between workers and those who watch: Postgres itself, or a Redis server at an address that may hold a password. */
export type EventBusSettings = { bus: 'postgres' } | { bus: 'redis'; url: string };
