import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPostgresEventBus } from '../../../db/bus/postgres-event-bus.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { waitFor } from '../../support/wait-for.ts';

const database = await databaseOfFile();

/** The connections that the buses have open: they go through this server, since the process may hold sockets of others. */
const open = new Set<Socket>();
let accepted = 0;
let between: Server;
let url: string;

beforeAll(async () => {
  const { hostname, port } = new URL(database.url);
  between = createServer((socket) => {
    accepted += 1;
    open.add(socket);
    const postgres = connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, postgres],
      [postgres, socket],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((listening) => between.listen(0, '127.0.0.1', listening));
  const address = new URL(database.url);
  address.hostname = '127.0.0.1';
  address.port = String((between.address() as { port: number }).port);
  url = address.href;
});
afterAll(() => void between.close());

test('a bus closed while it opens leaves no socket', async () => {
  for (let index = 0; index < 40; index += 1) {
    const bus = createPostgresEventBus({ url, onTrouble: () => {} });
    bus.subscribe('longhaul_test', {
      onPayload() {},
      onOpen: () => void bus.publish('longhaul_test', 'x').catch(() => {}), // closed in the meantime
    });
    await sleep(index);
    await bus.close();
  }
  expect(accepted).toBeGreaterThan(20);
  await waitFor('the connections to be closed', () => open.size === 0);
});

test('a channel that is subscribed to while the bus opens gets each payload once', async () => {
  const bus = createPostgresEventBus({ url, onTrouble: () => {} });
  const received: string[] = [];
  const opened: string[] = [];
  const subscribe = (channel: string) =>
    bus.subscribe(channel, {
      onPayload: (payload) => void received.push(`${channel} ${payload}`),
      onOpen: () => void opened.push(channel),
    });
  subscribe('longhaul_one');
  for (const channel of ['longhaul_two', 'longhaul_three', 'longhaul_last']) subscribe(channel);
  await waitFor('the channels to open', () => opened.length >= 4);
  for (const channel of ['longhaul_one', 'longhaul_two', 'longhaul_last']) await bus.publish(channel, 'x');
  await waitFor('the last payload', () => received.includes('longhaul_last x'));
  await bus.close();
  expect(opened.sort()).toEqual(['longhaul_last', 'longhaul_one', 'longhaul_three', 'longhaul_two']);
  expect(received).toEqual(['longhaul_one x', 'longhaul_two x', 'longhaul_last x']);
});
