import { bigint, integer, text, timestamp } from 'drizzle-orm/pg-core';

export const createdAt = () => timestamp('created_at', { withTimezone: true }).notNull().defaultNow();
export const endedAt = () => timestamp('ended_at', { withTimezone: true });
export const count = (name: string) => integer(name).notNull().default(0);

/** A row's position in a project's lineage; such rows are only added, never changed by a later event. */
export const inLineage = () => ({
  lineageId: text('lineage_id').notNull(),
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
});
