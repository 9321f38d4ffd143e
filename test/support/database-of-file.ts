import { afterAll } from '@jest/globals';
import { startTestDatabase, type TestDatabase } from '../client/test-database.ts';

/** A real Postgres for one test file, from its first line until its last test has ended. */
export async function databaseOfFile(): Promise<TestDatabase> {
  const postgres = await startTestDatabase();
  afterAll(() => postgres.stop());
  return postgres;
}
