import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { packageDirectorySync } from 'package-directory';
import { openClient } from './open-client.ts';

/** Migrates the database to the newest schema; several processes may call it at once. */
export async function migrateDatabase(url: string): Promise<void> {
  const sql = openClient(url, { max: 1 });
  try {
    // One lock for all: drizzle's migrator does not wait for another one that is running.
    await sql`select pg_advisory_lock(hashtext('longhaul-migrations'))`;
    await migrate(drizzle(sql), {
      migrationsFolder: join(packageDirectorySync({ cwd: import.meta.dirname }) ?? '', 'db', 'migrations'),
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
