import { connectDatabase, type Database } from '../../db/database.ts';
import { isServerAwayCode } from '../../db/server-away-code.ts';
import { DatabaseUnreachableError } from '../errors.ts';
import { causesOf } from './causes.ts';

/** The client's way to Postgres: what goes wrong with the server comes out under its name. */
export interface DatabaseAccess {
  /** With its password. */
  readonly url: string;
  /**
   * Does work that reads or may be done again.
   * @throws {DatabaseUnreachableError} where the server does not answer or has no schema of Longhaul's.
   */
  use<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const maxConnections = 4;
/** "admin_shutdown": the server ended the session that was asked. */
const sessionEnded = '57P01';

/** Opens connections when they are first used, and again after the server was away. */
export function createDatabaseAccess(url: string): DatabaseAccess {
  const connection = connectDatabase(url, { maxConnections });
  return {
    url,
    async use(work) {
      for (let ended = 0; ; ended += 1) {
        try {
          return await work(connection.database);
        } catch (error) {
          // Who asked when the session ended was told that the connection closed; the driver tells this to who asks next on that
          // connection, unsent (porsager/postgres#1223). Each connection may hold one; a server that is away tells the next try.
          if (codeOf(error) !== sessionEnded || ended > maxConnections) throw namedError(error, url);
        }
      }
    },
    close: () => connection.close(),
  };
}

/** The error by its cause where that is the server, else itself. */
function namedError(error: unknown, url: string): unknown {
  const code = codeOf(error);
  const place = withoutPassword(url);
  const name = (why: string, next: string) =>
    new DatabaseUnreachableError(`Expected Longhaul's Postgres at ${place}, but ${why}. ${next}`, { cause: error });
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
