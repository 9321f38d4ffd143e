import postgres, { type Sql } from 'postgres';

/**
 * A client of the driver; its connections open on first use. They don't ask for the types of arrays, which drizzle knows: the driver ends the process if
 * such a connection is lost before the answer.
 */
export function openClient(url: string, options: { max: number; connect_timeout?: number }): Sql {
  // No caller could act on a notice.
  return postgres(url, { ...options, fetch_types: false, onnotice: () => {} });
}
