import { EventEmitter } from 'node:events';
import type { EventBus, Subscriber } from './event-bus.ts';

/** An event bus within one process, for tests and programs that do without servers. Buses on the same `hub` hear each other. */
export function createMemoryEventBus(hub: EventEmitter = createMemoryHub()): EventBus {
  const left = new Set<() => void>();
  let isClosed = false;
  return {
    async publish(channel, payload) {
      if (isClosed) return;
      await Promise.resolve(); // subscribers run after the caller, as they do on a bus over a network
      hub.emit(channel, payload);
    },
    subscribe(channel, subscriber) {
      if (isClosed) return () => {};
      const { hear, leave } = listen(hub, channel, subscriber);
      left.add(leave);
      queueMicrotask(() => {
        if (hub.listeners(channel).includes(hear)) subscriber.onOpen?.();
      });
      return () => {
        left.delete(leave);
        leave();
      };
    },
    async close() {
      isClosed = true;
      for (const leave of left) leave();
    },
  };
}

/** What buses of one process share. */
export function createMemoryHub(): EventEmitter {
  return new EventEmitter().setMaxListeners(0);
}

function listen(hub: EventEmitter, channel: string, subscriber: Subscriber) {
  const hear = (payload: string) => subscriber.onPayload(payload);
  hub.on(channel, hear);
  return { hear, leave: () => void hub.off(channel, hear) };
}
