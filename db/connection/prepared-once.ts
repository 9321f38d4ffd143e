import type { Queryable } from './database.ts';
import { oncePer } from './once-per.ts';

/**
 * A query with placeholders, prepared once for each database or transaction: drizzle takes longer to generate its text than Postgres to answer it, so
 * the queries of every turn are generated once.
 */
export function preparedOnce<Prepared>(prepare: (query: Queryable) => Prepared): (query: Queryable) => Prepared {
  return oncePer(prepare);
}
