import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { openClient } from '../connection/open-client.ts';
import type { EventBus, Subscriber } from './event-bus.ts';

/**
 * Milliseconds between two pulses. The driver resumes listening only if the server is back at once, and reports nothing if it is not; so the bus
 * sends itself pulses, and reconnects if one has not arrived by the time the next is due.
 */
const pulsePause = 2_000;
/** Milliseconds between attempts while the server does not answer. */
const retryPause = 500;

export interface PostgresEventBusOptions {
  url: string;
  /** Called at the start of each period in which nothing arrives. */
  onTrouble(trouble: string): void;
}

/** Milliseconds that `close` waits for pending requests to the server. */
const closePause = 1_000;

/** An event bus over the `LISTEN` and `NOTIFY` of Postgres, on two connections of its own, opened on first use. */
export function createPostgresEventBus({ url, onTrouble }: PostgresEventBusOptions): EventBus {
  const channels = new Map<string, Set<Subscriber>>();
  const pulseChannel = `longhaul_pulse_${randomUUID()}`;
  const closing = new AbortController();
  let client = connect(url);
  /** Channels that the current client was asked to listen on: it would deliver twice what it is asked twice for. */
  let requested = new Set<string>();
  /** Those that it listens on. */
  let open = new Set<string>();
  let running: Promise<void> | undefined;
  /** Requests that the server has not answered yet. */
  const asked = new Set<Promise<unknown>>();

  /**
   * The driver forgets a connection that is ended while it opens, and the socket then keeps the process alive; so `close` waits for the requests that
   * open one.
   */
  function track<Result>(promise: Promise<Result>): Promise<Result> {
    const settled: Promise<unknown> = promise.then(
      () => asked.delete(settled),
      () => asked.delete(settled),
    );
    asked.add(settled);
    return promise;
  }

  async function listen(channel: string): Promise<void> {
    if (requested.has(channel)) return;
    requested.add(channel);
    const on = client;
    const listening = on.listen(
      channel,
      (payload) => {
        for (const subscriber of channels.get(channel) ?? []) subscriber.onPayload(payload);
      },
      () => {
        if (on !== client) return;
        open.add(channel);
        for (const subscriber of channels.get(channel) ?? []) subscriber.onOpen?.();
      },
    );
    await track(listening);
  }

  /** Returns once the bus is closed; throws if the server is lost. */
  async function listenToAll(): Promise<void> {
    let heard = true;
    const listening = client.listen(pulseChannel, () => {
      heard = true;
    });
    await track(listening);
    if (closing.signal.aborted) return;
    await Promise.all([...channels.keys()].map(listen));
    while (!closing.signal.aborted) {
      if (!heard) throw new Error('Postgres did not deliver the test message of the event bus.');
      heard = false;
      await track(client.notify(pulseChannel, ''));
      await pause(pulsePause, closing.signal);
    }
  }

  async function run(): Promise<void> {
    for (let quiet = false; !closing.signal.aborted; ) {
      try {
        await listenToAll();
      } catch (error) {
        if (closing.signal.aborted) return;
        if (!quiet) onTrouble(error instanceof Error ? error.message : String(error));
        quiet = open.size === 0; // not even opened since the last trouble
        client.end({ timeout: 0 }).catch(() => {}); // already lost
        requested = new Set();
        open = new Set();
        client = connect(url);
        await pause(retryPause, closing.signal);
      }
    }
  }

  return {
    async publish(channel, payload) {
      if (closing.signal.aborted) return;
      await track(client.notify(channel, payload));
    },
    subscribe(channel, subscriber) {
      const known = channels.get(channel);
      channels.set(channel, (known ?? new Set<Subscriber>()).add(subscriber));
      if (open.has(channel)) subscriber.onOpen?.();
      else if (running && !known) listen(channel).catch(() => {}); // `run` detects the loss and listens on all channels again
      running ??= run();
      return () => void channels.get(channel)?.delete(subscriber);
    },
    async close() {
      closing.abort();
      await Promise.race([Promise.all(asked), sleep(closePause, undefined, { ref: false })]);
      await client.end({ timeout: 1 });
      await running;
    },
  };
}

function connect(url: string): Sql {
  return openClient(url, { max: 1, connect_timeout: 10 });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined); // closed meanwhile
}
