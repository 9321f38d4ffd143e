import { createEventBus } from '../../db/bus/create-event-bus.ts';
import type { EventBus } from '../../db/bus/event-bus.ts';
import { connectDatabase, type Database } from '../../db/connection/database.ts';
import { isServerAwayCode } from '../../db/connection/query-errors.ts';
import type { EventBusSettings } from '../../domain/event-bus-settings.ts';
import { ClientError, closedError } from '../errors.ts';
import { causesOf } from './temporal-access.ts';

/** The client's access to Postgres, which turns server problems into named errors. */
export interface DatabaseAccess {
  /** Opens the bus on which workers tell what happens right now; the caller closes it. What is lost with it comes from the tables, so its troubles are not told. */
  openBus(): EventBus;
  /**
   * Does work that only reads or may be repeated.
   * @throws {ClientError} `DatabaseUnreachable` if the server does not answer, refuses the connection, or lacks Longhaul's schema.
   */
  use<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const maxConnections = 4;
/** "admin_shutdown": the server ended the session. */
const sessionEnded = '57P01';

/** Connects on first use, and again after the server was unreachable. */
export function createDatabaseAccess(url: string, settings: EventBusSettings = { bus: 'postgres' }): DatabaseAccess {
  const connection = connectDatabase(url, { maxConnections });
  let isClosed = false;
  return {
    openBus: () => createEventBus({ settings, databaseUrl: url, onTrouble: () => {} }),
    async use(work) {
      for (let ended = 0; ; ended += 1) {
        if (isClosed) throw closedError();
        try {
          return await work(connection.database);
        } catch (error) {
          if (isClosed) throw closedError();
          // The query running when the session ended gets a connection-closed error; the driver reports 57P01 to the next query on that connection,
          // which it does not send (porsager/postgres#1223). Each connection may hold one such error; if the server is unreachable, a retry will say
          // so.
          if (codeOf(error) !== sessionEnded || ended > maxConnections) throw namedError(error, url);
        }
      }
    },
    close() {
      isClosed = true;
      return connection.close();
    },
  };
}

/** A named error if the server is the cause, otherwise the error itself. */
function namedError(error: unknown, url: string): unknown {
  const code = codeOf(error);
  const place = withoutPassword(url);
  const name = (why: string, next: string) =>
    new ClientError('DatabaseUnreachable', `Expected Longhaul's Postgres at ${place}, but ${why}. ${next}`, {
      cause: error,
    });
  if (isServerAwayCode(code)) {
    return name(`it does not answer (${code})`, 'Start the stack with `longhaul up -d`, or check DATABASE_URL.');
  }
  if (code === '28P01' || code === '28000') return name('it refuses the user or password', 'Check DATABASE_URL.');
  if (code === '3D000') return name('it has no such database', 'Create it, or check DATABASE_URL.');
  if (code === '42P01' || code === '42703') {
    return name('it lacks tables or columns of this version', '`longhaul up` brings the schema up to date.');
  }
  return error;
}

function codeOf(error: unknown): string {
  for (const { code } of causesOf(error)) {
    if (typeof code === 'string') return code;
  }
  return '';
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
