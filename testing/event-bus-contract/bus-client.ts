import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBus, Subscriber } from '../../db/bus/event-bus.ts';

/** Milliseconds that a case waits for what has to come. */
const patience = 30_000;

/** A subscriber that keeps what it was given. */
export interface Listener extends Subscriber {
  payloads: string[];
  /** How often listening began. */
  opened: number;
}

export function createListener(): Listener {
  const listener: Listener = {
    payloads: [],
    opened: 0,
    onPayload: (payload) => void listener.payloads.push(payload),
    onOpen: () => {
      listener.opened += 1;
    },
  };
  return listener;
}

/** Subscribes, and resolves once the bus listens. */
export async function listenOn(bus: EventBus, channel: string): Promise<Listener & { leave(): void }> {
  const listener = createListener();
  const leave = bus.subscribe(channel, listener);
  await until(`the bus to listen on ${channel}`, () => listener.opened > 0);
  return Object.assign(listener, { leave });
}

export async function until(what: string, check: () => boolean): Promise<void> {
  const end = performance.now() + patience;
  while (!check()) {
    if (performance.now() > end) assert.fail(`Expected ${what} within ${patience / 1000} s.`);
    await sleep(5);
  }
}
