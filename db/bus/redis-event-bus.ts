import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClientType } from 'redis';
import type { EventBus, Subscriber } from './event-bus.ts';

/** Milliseconds between attempts while the server does not answer. */
const retryPause = 500;
/** Milliseconds between two pings; a connection that is silent for three of them counts as lost. */
const pingPause = 2_000;
/** Milliseconds that `close` waits for what is being published. */
const closePause = 1_000;

export interface RedisEventBusOptions {
  /** `redis://` or, with TLS, `rediss://`. */
  url: string;
  /** Called at the start of each period in which nothing arrives. */
  onTrouble(trouble: string): void;
}

interface Clients {
  publisher: RedisClientType;
  listener: RedisClientType;
  /** Settles when the publisher has connected, or has failed to for the first time. */
  tried: Promise<void>;
}

/** An event bus over the publish and subscribe of Redis, on two connections of its own, opened on first use. Needs the package `redis`. */
export function createRedisEventBus({ url, onTrouble }: RedisEventBusOptions): EventBus {
  const channels = new Map<string, Set<Subscriber>>();
  /** Channels that the server was asked for, and those of them that it has confirmed. */
  const requested = new Set<string>();
  const open = new Set<string>();
  const publishing = new Set<Promise<unknown>>();
  let connecting: Promise<Clients> | undefined;
  let isClosed = false;
  let isQuiet = false;

  function tell(error: unknown): void {
    if (isQuiet || isClosed) return;
    isQuiet = true;
    onTrouble(error instanceof Error ? error.message || error.name : String(error));
  }

  function announce(channel: string): void {
    for (const subscriber of channels.get(channel) ?? []) subscriber.onOpen?.();
  }

  function deliver(payload: string, channel: string): void {
    if (isClosed) return;
    for (const subscriber of channels.get(channel) ?? []) subscriber.onPayload(payload);
  }

  function connect(): Promise<Clients> {
    connecting ??= connectBoth();
    connecting.catch((error: unknown) => {
      tell(error);
      connecting = undefined; // so that the next use tries again
    });
    return connecting;
  }

  async function connectBoth(): Promise<Clients> {
    const { createClient } = await loadRedis();
    const create = () =>
      createClient({
        url,
        pingInterval: pingPause,
        disableOfflineQueue: true,
        socket: { reconnectStrategy: () => retryPause, socketTimeout: 3 * pingPause },
      }) as unknown as RedisClientType;
    const publisher = create();
    const listener = create();
    const tried = new Promise<void>((resolve) => {
      publisher.once('ready', resolve);
      publisher.once('error', () => resolve());
    });
    for (const client of [publisher, listener]) client.on('error', tell);
    listener.on('ready', () => {
      isQuiet = false;
      for (const channel of channels.keys()) {
        if (open.has(channel)) announce(channel);
        else requested.delete(channel);
        void listen(listener, channel);
      }
    });
    if (isClosed) throw new Error('The bus was closed.');
    for (const client of [publisher, listener]) client.connect().catch(tell); // it goes on trying by itself
    return { publisher, listener, tried };
  }

  async function listen(listener: RedisClientType, channel: string): Promise<void> {
    if (!listener.isReady || requested.has(channel)) return;
    requested.add(channel);
    try {
      await listener.subscribe(channel, deliver);
      open.add(channel);
      announce(channel);
    } catch {
      requested.delete(channel); // the connection was lost: once it is back, it is asked for again
    }
  }

  async function publish(channel: string, payload: string): Promise<void> {
    const { publisher, tried } = await connect();
    await tried;
    if (isClosed) return;
    if (!publisher.isReady) throw new Error(`Redis at ${new URL(url).host} does not answer.`);
    await publisher.publish(channel, payload);
  }

  return {
    async publish(channel, payload) {
      if (isClosed) return;
      const published = publish(channel, payload);
      const settled: Promise<unknown> = published.catch(() => {}).then(() => publishing.delete(settled));
      publishing.add(settled);
      await published;
    },
    subscribe(channel, subscriber) {
      channels.set(channel, (channels.get(channel) ?? new Set<Subscriber>()).add(subscriber));
      if (open.has(channel)) subscriber.onOpen?.();
      connect().then(
        ({ listener }) => listen(listener, channel),
        () => {}, // told
      );
      return () => void channels.get(channel)?.delete(subscriber);
    },
    async close() {
      await Promise.race([Promise.all(publishing), sleep(closePause, undefined, { ref: false })]);
      isClosed = true;
      const clients = await connecting?.catch(() => undefined);
      for (const client of [clients?.publisher, clients?.listener]) if (client?.isOpen) client.destroy();
    },
  };
}

/** @throws {Error} saying how to install the package. */
async function loadRedis(): Promise<typeof import('redis')> {
  try {
    return await import('redis');
  } catch (cause) {
    throw new Error(
      'LONGHAUL_EVENT_BUS names a Redis server, which needs the package "redis". Install it: npm install redis',
      { cause },
    );
  }
}
