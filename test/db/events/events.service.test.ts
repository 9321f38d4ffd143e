import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPostgresEventBus } from '../../../db/bus/postgres-event-bus.ts';
import { isAlreadyThere } from '../../../db/connection/query-errors.ts';
import { type Addition, addToOwner } from '../../../db/events/add-to-owner.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { progressEntry, readProgress } from '../../../db/project/progress.ts';
import { runs } from '../../../db/schema/runs.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { waitFor } from '../../support/wait-for.ts';

const { database, url: databaseUrl } = await databaseOfFile();

describe('events of an owner', () => {
  const projectId = 'project-adds';
  const runId = `${projectId}-s1-work`;

  beforeAll(async () => {
    await seedProject(database, projectId);
    await database.insert(runs).values({ id: runId, projectId, role: 'code', model: 'm', status: 'RUNNING' });
  });

  const warned = (text: string) => ({ type: 'budget.warned' as const, limit: 'run usd', text });
  const messageRow =
    (number: number): NonNullable<Addition['rows']> =>
    (query) => [insertMessage(query, { runId, number, turn: 1, role: 'tool', content: { text: `result ${number}` } })];
  const notes = async () => (await readProgress(database, projectId)).filter(({ action }) => action === 'note');
  const texts = async () =>
    (await readEvents(database, projectId)).map(({ number, data }) => [number, 'text' in data ? data.text : data.type]);

  test('concurrent events keep their order and get their own numbers', async () => {
    const before = (await texts()).length;
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        addToOwner(
          database,
          { kind: 'project', id: projectId },
          { events: [warned(`${index}a`), warned(`${index}b`)] },
        ),
      ),
    );
    const told = (await texts()).slice(before);
    expect(told.map(([number]) => number)).toEqual(Array.from({ length: 40 }, (_, index) => before + index + 1));
    for (let index = 0; index < told.length; index += 2) {
      expect(told[index + 1]?.[1]).toBe(`${told[index]?.[1]}`.replace('a', 'b'));
    }
  });

  test('a message with a taken number leaves neither events nor entries', async () => {
    const entry = { id: 'note', action: 'note', outcome: 'It works.' };
    await insertMessage(database, { runId, number: 0, turn: 1, role: 'tool', content: { text: 'the first' } });
    const before = await texts();
    const again = addToOwner(
      database,
      { kind: 'project', id: projectId },
      { ...progressEntry(entry), rows: messageRow(0) },
    );
    expect(isAlreadyThere(await again.catch((error: unknown) => error))).toBe(true);
    expect(await texts()).toEqual(before);
    expect(await notes()).toEqual([]);
    await addToOwner(database, { kind: 'project', id: projectId }, { ...progressEntry(entry), rows: messageRow(1) });
    await addToOwner(database, { kind: 'project', id: projectId }, progressEntry({ ...entry, id: 'later' }));
    const [first, second] = await notes();
    expect([first?.outcome, second?.outcome]).toEqual(['It works.', 'It works.']);
    expect(second?.sequence).toBe((first?.sequence ?? 0) + 1);
    expect((await readMessages(database, runId)).map(({ content }) => content.text)).toEqual(['the first', 'result 1']);
  });

  test('an unknown project is an error', async () => {
    const nobody = { kind: 'project' as const, id: 'nobody' };
    await expect(addToOwner(database, nobody, { events: [warned('lost')] })).rejects.toMatchObject({
      code: 'UnknownProject',
    });
    await expect(
      addToOwner(database, { kind: 'chat', id: 'nobody' }, progressEntry({ id: 'x', action: 'a', outcome: 'o' })),
    ).rejects.toThrow('Expected a run of a project');
  });
});

describe('the bus', () => {
  /** The connections that the buses have open: they go through this server, since the process may hold sockets of others. */
  const open = new Set<Socket>();
  let accepted = 0;
  let between: Server;
  let url: string;

  beforeAll(async () => {
    const { hostname, port } = new URL(databaseUrl);
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
    const address = new URL(databaseUrl);
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
});
