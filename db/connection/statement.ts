import { fillPlaceholders, type Placeholder, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import type { Queryable } from './database.ts';

/** What is sent to Postgres: a text with `$1`, `$2` and so on, and the values of these parameters. */
export interface Statement {
  text: string;
  parameters: unknown[];
}

const dialect = new PgDialect();

/** Only builds statements; it has no connection. */
const builder: Queryable = drizzle.mock();

export function writeStatement(statement: SQLWrapper): Statement {
  const { sql: text, params: parameters } = dialect.sqlToQuery(statement.getSQL());
  return { text, parameters };
}

/**
 * A statement whose text is generated once, with placeholders named after the values given at each use: drizzle takes longer to generate an insert
 * than Postgres to execute it.
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

/** The text of a statement with its parameters numbered after `before` parameters of other statements. */
export function numberedFrom({ text }: Statement, before: number): string {
  return text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`);
}
