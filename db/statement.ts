import { fillPlaceholders, type Placeholder, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import type { Queryable } from './database.ts';

/** What Postgres is sent: a text with `$1`, `$2` and so on, and what those stand for. */
export interface Statement {
  text: string;
  parameters: unknown[];
}

const dialect = new PgDialect();

/** Builds statements and has nobody to send them to. */
const builder: Queryable = drizzle.mock();

export function writeStatement(statement: SQLWrapper): Statement {
  const { sql: text, params: parameters } = dialect.sqlToQuery(statement.getSQL());
  return { text, parameters };
}

/**
 * A statement whose text is written once, with placeholders by the names of what is given at each use: drizzle takes longer to write that
 * of an insert than Postgres to do it.
 */
export function statementOf<Values extends object>(
  build: (query: Queryable, value: { [Name in keyof Values]-?: Placeholder }) => SQLWrapper,
): (values: Values) => Statement {
  const placeholders = new Proxy({} as { [Name in keyof Values]-?: Placeholder }, {
    get: (_, name) => sql.placeholder(String(name)),
  });
  let written: Statement | undefined;
  return (values) => {
    written ??= writeStatement(build(builder, placeholders));
    return { text: written.text, parameters: fillPlaceholders(written.parameters, values as Record<string, unknown>) };
  };
}

/** The text of a statement with its parameters numbered after the `before` ones of other statements. */
export function numberedFrom({ text }: Statement, before: number): string {
  return text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`);
}
