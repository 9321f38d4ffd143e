import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { packageRoot } from '../../../config/package-root.ts';
import { migrateDatabase } from '../../../db/connection/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

let server: TestDatabase;
let folder: string;

beforeAll(async () => {
  server = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'longhaul-migrations-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server?.stop();
});

test('a ledger from before each call had a row would lose what it holds, or not be brought up to date', async () => {
  await server.database.execute('create database earlier');
  const url = server.url.replace(/\/[^/]*$/, '/earlier');
  cpSync(join(packageRoot(), 'db', 'migrations'), folder, { recursive: true });
  const journal = join(folder, 'meta', '_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'));
  const before = entries.filter(({ idx }: { idx: number }) => idx <= 8);
  writeFileSync(journal, JSON.stringify({ ...rest, entries: before }));

  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await migrate(drizzle(sql), { migrationsFolder: folder });
    await sql`insert into chats (id, name) values ('c', 'c')`;
    await sql`insert into runs (id, chat_id, role, model, status) values ('r', 'c', 'chat', 'm', 'RUNNING')`;
    const places = [-1, 7, -2].map((place) => ({
      run_id: 'r',
      turn: 1,
      summary_up_to: place,
      model: 'm',
      duration_ms: 1,
      input_tokens: 5,
    }));
    await sql`insert into usage ${sql(places)}`;
    await migrateDatabase(url);
    const rows = await sql`select id, purpose, outcome, input_tokens, output_tokens from usage order by summary_up_to`;
    expect(rows.map(({ purpose }) => purpose)).toEqual(['distillation', 'answer', 'summary']);
    expect(rows.every((row) => row.outcome === 'ANSWERED' && row.input_tokens === 5 && row.output_tokens === 0)).toBe(
      true,
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
  } finally {
    await sql.end();
  }
});
