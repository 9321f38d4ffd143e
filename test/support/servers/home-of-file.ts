import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { databaseOfFile, type TestDatabase } from './test-database.ts';

/** A data folder of its own, and what tells a command of it and of a database of the run's Postgres. */
export interface TestHome extends TestDatabase {
  home: string;
  environment: { LONGHAUL_HOME: string; DATABASE_URL: string };
}

/** From a test file's first line until its last test has ended. */
export async function homeOfFile(): Promise<TestHome> {
  const created = await databaseOfFile();
  const home = mkdtempSync(join(tmpdir(), 'longhaul-home-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return { ...created, home, environment: { LONGHAUL_HOME: home, DATABASE_URL: created.url } };
}
