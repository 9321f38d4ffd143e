import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type {
  AuditEntry,
  AuditFilter,
  AuditStore,
  Concerns,
  ErrorRecord,
  MetricFilter,
  MetricSummary,
} from '../../domain/stores/audit.ts';
import { toJson } from '../../domain/stores/json.ts';
import type { Owner, PurgeSubject, Removed } from '../../domain/stores/purge.ts';
import { byName, defaultLimit, expectMetric, recorded, unknownError } from '../../domain/stores/rules/audit-rules.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { auditEntries, errorRecords, metrics } from '../schema/stores.ts';
import { ownedBy } from './owned-by.ts';
import { readInPages } from './read-in-pages.ts';

type AuditTable = typeof auditEntries | typeof errorRecords | typeof metrics;

/** Postgres allows 65,535 parameters per statement. */
const rowsAtOnce = 1_000;

/** The audit, in the tables `audit_entries`, `error_records` and `metrics`. */
export function createAuditStore(database: Database): AuditStore {
  const findError = async (id: string) =>
    (await database.select().from(errorRecords).where(eq(errorRecords.id, id)))[0];
  return {
    async record(entry) {
      const { actor, action, subject = null, details = null } = entry;
      const row = { ...recorded(entry), actor, action, subject, details: toJson(details) };
      await database.insert(auditEntries).values(row).onConflictDoNothing();
      const [kept] = await database.select().from(auditEntries).where(eq(auditEntries.id, row.id));
      return toEntry(kept ?? { ...row, number: 0 });
    },
    async entries({ actor, action, subject, limit = defaultLimit, ...filter } = {}) {
      const { actor: by, action: did, subject: to, number } = auditEntries;
      const rows = await database
        .select()
        .from(auditEntries)
        .where(and(fits(auditEntries, filter), is(by, actor), is(did, action), is(to, subject)))
        .orderBy(desc(number))
        .limit(limit);
      return rows.map(toEntry);
    },
    async recordError(error) {
      const { severity, type, message, stack = null, details = null } = error;
      const row = { ...recorded(error), severity, type, message, stack, details: toJson(details) };
      await database.insert(errorRecords).values(row).onConflictDoNothing();
      const kept = await findError(row.id);
      if (!kept) throw unknownError(row.id);
      return toErrorRecord(kept);
    },
    async errors({ severity, type, open, limit = defaultLimit, ...filter } = {}) {
      const { severity: bad, type: named, resolution, number } = errorRecords;
      const isOpen = open === undefined ? undefined : open ? isNull(resolution) : isNotNull(resolution);
      const rows = await database
        .select()
        .from(errorRecords)
        .where(and(fits(errorRecords, filter), is(bad, severity), is(named, type), isOpen))
        .orderBy(desc(number))
        .limit(limit);
      return rows.map(toErrorRecord);
    },
    async resolveError(id, how, by) {
      await database
        .update(errorRecords)
        .set({ resolution: how, resolvedBy: by ?? null, resolvedAt: new Date() })
        .where(and(eq(errorRecords.id, id), isNull(errorRecords.resolution)));
      const row = await findError(id);
      if (!row) throw unknownError(id);
      return toErrorRecord(row);
    },
    async measure(...given) {
      for (const metric of given) expectMetric(metric);
      const rows = given.map(({ name, value, unit = null, labels = {}, ...rest }) => ({
        ...{ ...recorded(rest), name, value, unit, labels },
      }));
      await database.transaction(async (query) => {
        for (let from = 0; from < rows.length; from += rowsAtOnce)
          await query
            .insert(metrics)
            .values(rows.slice(from, from + rowsAtOnce))
            .onConflictDoNothing();
      });
    },
    summarize: (name, filter = {}) => summarize(database, name, filter),
    purge: (subject, { dryRun = false } = {}) =>
      database.transaction(async (query) => [
        ...(await take(query, auditEntries, { kind: 'entry', what: auditEntries.action, subject, dryRun })),
        ...(await take(query, errorRecords, { kind: 'error', what: errorRecords.type, subject, dryRun })),
        ...byName(await take(query, metrics, { kind: 'metric', what: metrics.name, subject, dryRun })),
      ]),
    async *export(owner) {
      for await (const row of exported(database, auditEntries, owner))
        yield { store: 'audit', kind: 'entry', row: toEntry(row) };
      for await (const row of exported(database, errorRecords, owner))
        yield { store: 'audit', kind: 'error', row: toErrorRecord(row) };
      for await (const { number: _, ...row } of exported(database, metrics, owner))
        yield { store: 'audit', kind: 'metric', row };
    },
  };
}

async function summarize(
  database: Database,
  name: string,
  { labels = {}, ...filter }: MetricFilter,
): Promise<MetricSummary> {
  const { value } = metrics;
  const at = (fraction: number) =>
    sql<number | null>`percentile_disc(${fraction}::float8) within group (order by ${value})`;
  const [row] = await database
    .select({
      count: sql<number>`count(*)::int`,
      min: sql<number | null>`min(${value})`,
      max: sql<number | null>`max(${value})`,
      mean: sql<number | null>`avg(${value})`,
      ...{ p50: at(0.5), p90: at(0.9), p99: at(0.99) },
    })
    .from(metrics)
    .where(
      and(eq(metrics.name, name), fits(metrics, filter), sql`${metrics.labels} @> ${JSON.stringify(labels)}::jsonb`),
    );
  return row ?? { count: 0, min: null, max: null, mean: null, p50: null, p90: null, p99: null };
}

/** Deletes what the subject is about and lists it. */
async function take(
  query: Transaction,
  table: AuditTable,
  { kind, what, subject, dryRun }: { kind: string; what: AnyPgColumn; subject: PurgeSubject; dryRun: boolean },
): Promise<Removed[]> {
  const which = 'before' in subject ? lt(table.createdAt, subject.before) : ownedBy(table, subject);
  const fields = { id: table.id, what: sql<string>`${what}` };
  const rows = dryRun
    ? await query.select(fields).from(table).where(which)
    : await query.delete(table).where(which).returning(fields);
  return rows.map((row) => ({ store: 'audit', kind, ...row }));
}

function exported<Table extends AuditTable>(database: Database, table: Table, owner: Owner | undefined) {
  return readInPages<Table['$inferSelect']>((after, limit) =>
    database
      .select()
      .from(table as AuditTable)
      .where(and(gt(table.number, after), owner && ownedBy(table, owner)))
      .orderBy(asc(table.number))
      .limit(limit),
  );
}

function fits(table: AuditTable, { after, before, ...of }: Omit<AuditFilter, 'limit'> & Concerns): SQL | undefined {
  return and(
    after && gte(table.createdAt, after),
    before && lt(table.createdAt, before),
    is(table.person, of.person),
    is(table.projectId, of.projectId),
    is(table.conversationId, of.conversationId),
    is(table.runId, of.runId),
  );
}

function is(column: AnyPgColumn, value: string | undefined): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}

function toEntry({ number: _, details, ...row }: typeof auditEntries.$inferSelect): AuditEntry {
  return { ...row, details: JSON.parse(details) };
}

function toErrorRecord(row: typeof errorRecords.$inferSelect): ErrorRecord {
  const { number: _, details, resolution: how, resolvedBy: by, resolvedAt: at, ...rest } = row;
  return { ...rest, details: JSON.parse(details), resolution: how === null || at === null ? null : { how, by, at } };
}
