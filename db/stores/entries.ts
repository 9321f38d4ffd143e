import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, type InferSelectModel, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { type Json, toJson } from '../../domain/stores/json.ts';
import type { Entry, EntryPage } from '../../domain/stores/key-value.ts';
import { expectKey } from '../../domain/stores/rules/entry-key.ts';
import type { Database } from '../connection/database.ts';
import type { memoryEntries, preferences } from '../schema/stores.ts';

/** The two tables have the same columns. */
export type EntryTable = typeof memoryEntries | typeof preferences;
type EntryRow = InferSelectModel<typeof memoryEntries>;

/** Entries of one table by owner and key. */
export interface Entries {
  get(owner: string, key: string): Promise<Entry | undefined>;
  set(owner: string, key: string, value: Json): Promise<Entry>;
  compareAndSet(owner: string, key: string, expected: string | null, value: Json): Promise<Entry | undefined>;
  list(owner: string, page?: EntryPage): Promise<Entry[]>;
  /** Deletes and returns what it deleted; with `dryRun`, only returns it. */
  take(which: SQL | undefined, options?: { dryRun?: boolean | undefined }): Promise<OwnedEntry[]>;
  /** In pages, so that a large table does not have to fit in memory. */
  export(owners?: string[]): AsyncIterable<OwnedEntry>;
}

export interface OwnedEntry extends Entry {
  owner: string;
}

const rowsOfPage = 500;

export function createEntries(database: Database, given: EntryTable): Entries {
  const table = given as typeof memoryEntries;
  const at = (owner: string, key: string) => and(eq(table.owner, owner), eq(table.key, key));
  const written = (value: Json) => ({ value: toJson(value), version: randomUUID(), changedAt: new Date() });
  return {
    async get(owner, key) {
      const [row] = await database.select().from(table).where(at(owner, key));
      return row && toEntry(row);
    },
    async set(owner, key, value) {
      expectKey(key);
      const set = written(value);
      const [row] = await database
        .insert(table)
        .values({ owner, key, ...set })
        .onConflictDoUpdate({ target: [table.owner, table.key], set })
        .returning();
      return toEntry(row as EntryRow);
    },
    async compareAndSet(owner, key, expected, value) {
      expectKey(key);
      const set = written(value);
      const [row] =
        expected === null
          ? await database
              .insert(table)
              .values({ owner, key, ...set })
              .onConflictDoNothing()
              .returning()
          : await database
              .update(table)
              .set(set)
              .where(and(at(owner, key), eq(table.version, expected)))
              .returning();
      return row && toEntry(row);
    },
    async list(owner, { prefix = '', after, limit = 1_000 } = {}) {
      const isNext = after === undefined ? undefined : gt(table.key, after);
      const rows = await database
        .select()
        .from(table)
        .where(and(eq(table.owner, owner), startsWith(table.key, prefix), isNext))
        .orderBy(asc(table.key))
        .limit(Math.min(limit, maxLimit));
      return rows.map(toEntry);
    },
    async take(which, { dryRun = false } = {}) {
      const rows = dryRun
        ? await database.select().from(table).where(which)
        : await database.delete(table).where(which).returning();
      return rows.map((row) => ({ owner: row.owner, ...toEntry(row) }));
    },
    async *export(owners) {
      const isMeant = owners && inArray(table.owner, owners);
      let after: SQL | undefined;
      for (;;) {
        const rows = await database
          .select()
          .from(table)
          .where(and(isMeant, after))
          .orderBy(asc(table.owner), asc(table.key))
          .limit(rowsOfPage);
        for (const row of rows) yield { owner: row.owner, ...toEntry(row) };
        const last = rows.at(-1);
        if (!last || rows.length < rowsOfPage) return;
        after = sql`(${table.owner}, ${table.key}) > (${last.owner}, ${last.key})`;
      }
    },
  };
}

/** Condition: the entry belongs to one of the owners. */
export function isOwnedBy(table: EntryTable, owners: string[]): SQL {
  return inArray(table.owner, owners);
}

/** Condition: the entry was last written before. */
export function isOlderThan(table: EntryTable, moment: Date): SQL {
  return lt(table.changedAt, moment);
}

/** Condition: the key begins with a prefix; the index answers it. */
export function startsWith(key: EntryTable['key'], prefix: string): SQL | undefined {
  return prefix ? sql`${key} ^@ ${prefix}` : undefined;
}

/** The largest limit that Postgres accepts here; more rows than it can hold. */
const maxLimit = 2 ** 53;

function toEntry({ key, value, version, createdAt, changedAt }: EntryRow): Entry {
  return { key, value: JSON.parse(value), version, createdAt, changedAt };
}
