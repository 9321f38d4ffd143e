import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createDatabaseAccess, type DatabaseAccess } from '../../../client/connection/database-access.ts';
import { createTemporalAccess } from '../../../client/connection/temporal-access.ts';
import { readConfiguration } from '../../../config/configuration.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';

describe('the database', () => {
  let database: TestDatabase;
  let access: DatabaseAccess;

  beforeAll(async () => {
    database = await createTestDatabase();
    access = createDatabaseAccess(database.url);
  });
  afterAll(async () => {
    await access?.close();
    await database?.stop();
  });

  const endsSession = () => access.use((query) => query.execute(sql`select pg_terminate_backend(pg_backend_pid())`));

  test('the end of a database session is reported once', async () => {
    await expect(endsSession()).rejects.toThrow(/does not answer \(CONNECTION_CLOSED\)/);
    const asks = new Array(4).fill(sql`select 1 as one`); // one for each connection that it may open
    const rows = await Promise.all(asks.map((ask) => access.use((query) => query.execute(ask))));
    expect(rows.flat()).toEqual(asks.map(() => ({ one: 1 })));
  });
});

describe('Temporal', () => {
  test('a call that waits to be repeated ends with the connection', async () => {
    const [host = '', port = ''] = (process.env.LONGHAUL_TEST_TEMPORAL ?? '').split(':');
    const sockets: Socket[] = [];
    const between = createServer((socket) => {
      const onward = connect(Number(port), host);
      for (const one of [socket, onward]) one.on('error', () => {});
      socket.pipe(onward).pipe(socket);
      sockets.push(socket, onward);
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const { port: open } = between.address() as { port: number };
    const access = createTemporalAccess({
      configuration: readConfiguration({}),
      environment: {},
      address: () => `127.0.0.1:${open}`,
    });
    await access.use((client) => client.workflowService.getSystemInfo({}));

    between.close();
    for (const socket of sockets) socket.destroy();
    const call = access.use((client) => client.workflowService.getSystemInfo({}));
    const ended = expect(call).rejects.toMatchObject({ code: 'Closed' });
    await sleep(1_500); // it was repeated a few times
    await access.close();
    await ended;
    await sleep(6_000); // nothing is repeated later, which would fail this test from outside
  });
});
