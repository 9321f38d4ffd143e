import { randomBytes } from 'node:crypto';
import { afterAll } from '@jest/globals';
import postgres from 'postgres';
import { connectDatabase, type Database } from '../../../db/connection/database.ts';

/** A migrated database on the Postgres of this test run. */
export interface TestDatabase {
  url: string;
  database: Database;
  stop(): Promise<void>;
}

/** The name of the database that begin-service-run.mjs migrates and every other one is copied from. */
const template = 'longhaul_template';

export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.LONGHAUL_TEST_POSTGRES;
  if (!server)
    throw new Error('Expected LONGHAUL_TEST_POSTGRES from begin-service-run.mjs: name the file *.service.test.ts.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = async (statement: string) => {
    const sql = postgres(server, { max: 1, onnotice: () => {} });
    try {
      await sql.unsafe(statement);
    } finally {
      await sql.end();
    }
  };
  await admin(`create database ${name} template ${template}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const connection = connectDatabase(url, { maxConnections: 4 });
  return {
    url,
    database: connection.database,
    async stop() {
      await connection.close();
      await admin(`drop database ${name} with (force)`);
    },
  };
}

/** The same from a test file's first line until its last test has ended. */
export async function databaseOfFile(): Promise<TestDatabase> {
  const created = await createTestDatabase();
  afterAll(() => created.stop());
  return created;
}
