import { expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { connectDatabase } from '../../../db/connection/database.ts';
import { projects } from '../../../db/schema/projects.ts';
import { databaseOfFile } from '../../support/test-database.ts';

const postgres = await databaseOfFile();

/** Sends a query three times, in and outside a transaction; returns the statements then prepared on the only connection. */
async function keptStatements(url: string): Promise<string[]> {
  const { database, close } = connectDatabase(url, { maxConnections: 1 });
  const ask = (query: Pick<typeof database, 'select'>) => query.select().from(projects).where(eq(projects.id, 'none'));
  try {
    await ask(database);
    await ask(database);
    await database.transaction((query) => query.transaction((nested) => ask(nested)));
    const rows = await database.execute<{ statement: string }>(
      sql.raw('select statement from pg_prepared_statements where statement like \'%from "projects"%\''),
    );
    return rows.map(({ statement }) => statement);
  } finally {
    await close();
  }
}

test('each query would cost two round trips, since the driver prepares none of them', async () => {
  expect(await keptStatements(postgres.url)).toHaveLength(1);
});

test('a pooler that keeps no statements would refuse every query', async () => {
  expect(await keptStatements(`${postgres.url}?prepare=false`)).toEqual([]);
});
