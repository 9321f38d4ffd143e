import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import { keepStorable } from './keep-storable.ts';
import { openClient } from './open-client.ts';
import { isConnectionLost } from './query-errors.ts';

export type Database = PostgresJsDatabase & { $client: Sql };
/** A database or a transaction on it. */
export type Queryable = Pick<Database, 'select' | 'selectDistinctOn' | 'insert' | 'update' | 'execute'>;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export interface DatabaseConnection {
  database: Database;
  close(): Promise<void>;
}

/** Connects to Postgres; connections open on first use, and again after the server has been away. */
export function connectDatabase(url: string, options: { maxConnections?: number } = {}): DatabaseConnection {
  const sql = openClient(url, { max: options.maxConnections ?? 10, connect_timeout: 10 });
  const database = drizzle(sql);
  abandonLostTransactions(database);
  keepStorable(sql.options.serializers);
  return {
    database,
    close: () => sql.end({ timeout: 5 }),
  };
}

/**
 * Keeps the error of a closed connection from the driver. The driver answers any error of a transaction with a ROLLBACK, and on a closed connection
 * that write ends the process (github.com/porsager/postgres/issues/1066). When the connection closes, the driver itself rejects the transaction. So
 * the work of a transaction must await nothing but queries: anything else would continue without its transaction.
 */
function abandonLostTransactions(database: Database): void {
  const transaction = database.transaction.bind(database);
  database.transaction = (work, config) =>
    transaction(async (query) => {
      try {
        return await work(query);
      } catch (error) {
        if (isConnectionLost(error)) return new Promise<never>(() => {});
        throw error;
      }
    }, config);
}
