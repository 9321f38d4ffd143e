import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { keepStorable } from './keep-storable.ts';

export type Database = PostgresJsDatabase & { $client: Sql };
/** A database or a transaction on it. */
export type Queryable = Pick<Database, 'select' | 'selectDistinctOn' | 'insert' | 'update' | 'execute'>;

export interface DatabaseConnection {
  database: Database;
  close(): Promise<void>;
}

/** Connects to Postgres; connections open on first use, and again after the server has been away. */
export function connectDatabase(url: string, options: { maxConnections?: number } = {}): DatabaseConnection {
  const sql = postgres(url, {
    max: options.maxConnections ?? 10,
    connect_timeout: 10,
    onnotice: () => {}, // no caller could act on a notice
  });
  const database = drizzle(sql);
  keepStorable(sql.options.serializers);
  return {
    database,
    close: () => sql.end({ timeout: 5 }),
  };
}
