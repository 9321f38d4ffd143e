import type {
  AuditEntry,
  AuditFilter,
  AuditStore,
  ErrorRecord,
  MetricFilter,
  MetricSummary,
  NewAuditEntry,
  NewErrorRecord,
  NewMetric,
  Recorded,
} from '../audit.ts';
import { copyJson, toJson } from '../json.ts';
import type { ExportedRow, Owner, PurgeSubject, Removed } from '../purge.ts';
import { byName, defaultLimit, expectMetric, recorded, unknownError } from '../rules/audit-rules.ts';
import { summarizeMetric } from '../rules/summarize-metric.ts';

interface Metric extends Recorded {
  name: string;
  value: number;
  unit: string | null;
  labels: Record<string, string>;
}

/** Keeps the audit as long as the process lives. */
export class InMemoryAuditStore implements AuditStore {
  #entries: AuditEntry[] = [];
  #errors: ErrorRecord[] = [];
  #metrics: Metric[] = [];

  async record(entry: NewAuditEntry): Promise<AuditEntry> {
    const { actor, action, subject = null, details = null } = entry;
    toJson(details);
    return copy(add(this.#entries, { ...recorded(entry), actor, action, subject, details: copyJson(details) }));
  }

  async entries(filter: Parameters<AuditStore['entries']>[0] = {}): Promise<AuditEntry[]> {
    return latest(this.#entries, filter, ['actor', 'action', 'subject']);
  }

  async recordError(error: NewErrorRecord): Promise<ErrorRecord> {
    const { severity, type, message, stack = null, details = null } = error;
    toJson(details);
    const more = { severity, type, message, stack, details: copyJson(details), resolution: null };
    return copy(add(this.#errors, { ...recorded(error), ...more }));
  }

  async errors({ open, ...filter }: NonNullable<Parameters<AuditStore['errors']>[0]> = {}): Promise<ErrorRecord[]> {
    const meant = this.#errors.filter((one) => open === undefined || (one.resolution === null) === open);
    return latest(meant, filter, ['severity', 'type']);
  }

  async resolveError(id: string, how: string, by?: string): Promise<ErrorRecord> {
    const found = this.#errors.find((one) => one.id === id);
    if (!found) throw unknownError(id);
    found.resolution ??= { how, by: by ?? null, at: new Date() };
    return copy(found);
  }

  async measure(...metrics: NewMetric[]): Promise<void> {
    for (const metric of metrics) expectMetric(metric);
    for (const metric of metrics) {
      const { name, value, unit = null, labels = {} } = metric;
      add(this.#metrics, { ...recorded(metric), name, value, unit, labels: { ...labels } });
    }
  }

  async summarize(name: string, { labels = {}, ...filter }: MetricFilter = {}): Promise<MetricSummary> {
    const wanted = Object.entries(labels);
    const fits = (metric: Metric) => wanted.every(([label, value]) => metric.labels[label] === value);
    const meant = this.#metrics.filter((one) => one.name === name && isInFilter(one, filter) && fits(one));
    return summarizeMetric(meant.map(({ value }) => value));
  }

  async purge(subject: PurgeSubject, { dryRun = false } = {}): Promise<Removed[]> {
    const isMeant = (row: Recorded) => ('before' in subject ? row.createdAt < subject.before : isOwnedBy(row, subject));
    const removed = (kind: string, rows: Recorded[], whatOf: (row: never) => string): Removed[] =>
      rows.filter(isMeant).map((row) => ({ store: 'audit', kind, id: row.id, what: whatOf(row as never) }));
    const all = [
      ...removed('entry', this.#entries, ({ action }: AuditEntry) => action),
      ...removed('error', this.#errors, ({ type }: ErrorRecord) => type),
      ...byName(removed('metric', this.#metrics, ({ name }: Metric) => name)),
    ];
    if (dryRun) return all;
    this.#entries = this.#entries.filter((row) => !isMeant(row));
    this.#errors = this.#errors.filter((row) => !isMeant(row));
    this.#metrics = this.#metrics.filter((row) => !isMeant(row));
    return all;
  }

  async *export(owner?: Owner): AsyncIterable<ExportedRow> {
    const kinds = { entry: this.#entries, error: this.#errors, metric: this.#metrics };
    for (const [kind, rows] of Object.entries(kinds))
      for (const row of rows) if (!owner || isOwnedBy(row, owner)) yield { store: 'audit', kind, row: copy(row) };
  }
}

/** Adds a row, or returns the one with its id. */
function add<Row extends Recorded>(rows: Row[], row: Row): Row {
  const known = rows.find(({ id }) => id === row.id);
  if (!known) rows.push(row);
  return known ?? row;
}

function latest<Row extends Recorded>(
  rows: Row[],
  { limit = defaultLimit, ...filter }: AuditFilter & { [Field in keyof Row]?: unknown },
  fields: Array<keyof Row>,
): Row[] {
  const wanted = filter as { [Field in keyof Row]?: unknown };
  const fits = (row: Row) => fields.every((field) => wanted[field] === undefined || wanted[field] === row[field]);
  const meant = rows.filter((row) => isInFilter(row, filter) && fits(row));
  return meant.reverse().slice(0, limit).map(copy);
}

function isInFilter(row: Recorded, { after, before, person, projectId, conversationId, runId }: AuditFilter): boolean {
  const fits = (wanted: string | undefined, own: string | null) => wanted === undefined || wanted === own;
  return (
    (after === undefined || row.createdAt >= after) &&
    (before === undefined || row.createdAt < before) &&
    fits(person, row.person) &&
    fits(projectId, row.projectId) &&
    fits(conversationId, row.conversationId) &&
    fits(runId, row.runId)
  );
}

function isOwnedBy({ person, projectId, conversationId }: Recorded, owner: Owner): boolean {
  const isOfSession = conversationId !== null && owner.sessions?.includes(conversationId) === true;
  return isOfSession || ('person' in owner ? person === owner.person : projectId === owner.project);
}

/** Dates and details are never changed in place, so a shallow copy shares nothing that is. */
function copy<Row extends Recorded>(row: Row): Row {
  return { ...row };
}
