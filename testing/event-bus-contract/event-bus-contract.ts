import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type EventBus, maxPayloadBytes } from '../../db/bus/event-bus.ts';
import { createListener, listenOn, until } from './bus-client.ts';

/** What a case is run against. */
export interface EventBusContractHost {
  /** A bus of its own on the same server as all others; the case closes it. */
  open(): EventBus;
  /** Kills the server and has it back on its address, for buses that have one. */
  interrupt?(): Promise<void>;
}

export interface EventBusContractCase {
  title: string;
  /** Throws an `AssertionError` where the bus differs; does nothing without what it needs of the host. */
  run(host: EventBusContractHost): Promise<void>;
}

/** A case that closes the buses that it opened; `channel` is one that nobody else uses. */
function rule(
  title: string,
  check: (given: EventBusContractHost & { channel: string }) => Promise<void>,
): EventBusContractCase {
  return {
    title,
    async run(host) {
      const opened: EventBus[] = [];
      const open = () => {
        const bus = host.open();
        opened.push(bus);
        return bus;
      };
      try {
        await check({ ...host, open, channel: `longhaul_contract_${randomBytes(6).toString('hex')}` });
      } finally {
        for (const bus of opened) await bus.close();
      }
    },
  };
}

/** Waits until everything published before has arrived at a listener. */
async function settle(bus: EventBus, channel: string, listener: { payloads: string[] }): Promise<void> {
  const mark = `mark ${randomBytes(6).toString('hex')}`;
  await bus.publish(channel, mark);
  await until('what was published last', () => listener.payloads.at(-1) === mark);
  listener.payloads.pop();
}

/** Publishes until the server takes it, one payload at a time: a bus may refuse that while it has none. */
async function untilSent(bus: EventBus, channel: string): Promise<void> {
  let sent = false;
  let sending = false;
  await until('the server to take a payload', () => {
    if (sending) return sent;
    sending = true;
    bus.publish(channel, 'again').then(
      () => {
        sent = true;
      },
      () => {
        sending = false; // not yet back
      },
    );
    return false;
  });
}

/** What every implementation of `EventBus` does; run each case as a test. */
export const eventBusContract: EventBusContractCase[] = [
  rule('a payload reaches all who listen on its channel, on each bus, and nobody else', async ({ open, channel }) => {
    const [one, other] = [open(), open()];
    const here = await listenOn(one, channel);
    const second = await listenOn(one, channel);
    const there = await listenOn(other, channel);
    const elsewhere = await listenOn(other, `${channel}_b`);
    await one.publish(channel, 'a');
    await settle(one, channel, there);
    await settle(one, `${channel}_b`, elsewhere);
    await until('the other listeners', () => here.payloads.length > 1 && second.payloads.length > 1);
    assert.deepEqual([here.payloads[0], second.payloads[0], there.payloads], ['a', 'a', ['a']]);
    assert.deepEqual(elsewhere.payloads, []);
  }),

  rule('payloads arrive in the order in which they were published, none twice', async ({ open, channel }) => {
    const [one, other] = [open(), open()];
    const listener = await listenOn(other, channel);
    const sent = Array.from({ length: 500 }, (_, index) => `${index}`);
    const waiting = sent.map((payload) => one.publish(channel, payload));
    await Promise.all(waiting);
    await settle(one, channel, listener);
    assert.deepEqual(listener.payloads, sent);
  }),

  rule('a bus that nobody listens on publishes, and the payload is gone', async ({ open, channel }) => {
    const bus = open();
    await bus.publish(channel, 'lost');
    const listener = await listenOn(bus, channel);
    await settle(bus, channel, listener);
    assert.deepEqual(listener.payloads, []);
  }),

  rule('channels that are asked for while the bus opens get each payload once', async ({ open, channel }) => {
    const bus = open();
    const listeners = [0, 1, 2, 0].map((number) => {
      const listener = createListener();
      bus.subscribe(`${channel}_${number}`, listener);
      return listener;
    });
    await until('all to listen', () => listeners.every(({ opened }) => opened > 0));
    for (const number of [0, 1, 2]) await bus.publish(`${channel}_${number}`, `${number}`);
    await until('all payloads', () => listeners.every(({ payloads }) => payloads.length > 0));
    const [first] = listeners;
    if (first) await settle(bus, `${channel}_0`, first);
    assert.deepEqual(
      listeners.map(({ opened, payloads }) => [opened, payloads[0]]),
      [0, 1, 2, 0].map((number) => [1, `${number}`]),
    );
  }),

  rule('one who leaves hears nothing more, and others go on', async ({ open, channel }) => {
    const bus = open();
    const leaving = await listenOn(bus, channel);
    const staying = await listenOn(bus, channel);
    leaving.leave();
    leaving.leave();
    await bus.publish(channel, 'a');
    await settle(bus, channel, staying);
    assert.deepEqual([leaving.payloads, staying.payloads], [[], ['a']]);
  }),

  rule('a payload of the greatest size arrives as it is, whatever its characters', async ({ open, channel }) => {
    const bus = open();
    const listener = await listenOn(bus, channel);
    const wild = `'"\\\n\t{}%$1 é 😀`;
    const payload = wild + 'ü'.repeat((maxPayloadBytes - Buffer.byteLength(wild)) / 2);
    for (const text of [payload, '']) await bus.publish(channel, text);
    await settle(bus, channel, listener);
    assert.deepEqual(listener.payloads, [payload, '']);
  }),

  rule('a closed bus neither sends nor hears, and may be closed again', async ({ open, channel }) => {
    const [closed, other] = [open(), open()];
    const deaf = await listenOn(closed, channel);
    const listener = await listenOn(other, channel);
    await closed.close();
    await closed.publish(channel, 'never');
    await other.publish(channel, 'a');
    await settle(other, channel, listener);
    assert.deepEqual([deaf.payloads, listener.payloads], [[], ['a']]);
    await closed.close();
  }),

  rule('after a loss of the server it listens again, and says so', async ({ open, interrupt, channel }) => {
    if (!interrupt) return;
    const bus = open();
    const listener = await listenOn(bus, channel);
    await interrupt();
    await until('listening to begin again', () => listener.opened > 1);
    await untilSent(bus, channel);
    await settle(bus, channel, listener);
    const late = await listenOn(bus, `${channel}_b`);
    await settle(bus, `${channel}_b`, late);
  }),
];
