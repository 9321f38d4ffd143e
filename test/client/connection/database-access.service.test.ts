import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createDatabaseAccess, type DatabaseAccess } from '../../../client/connection/database-access.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';

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
