import type { Json } from './json.ts';
import type { Purgeable } from './purge.ts';

/** Whom a row concerns; each may be absent. */
export interface Concerns {
  person?: string | undefined;
  projectId?: string | undefined;
  conversationId?: string | undefined;
  runId?: string | undefined;
}

export const errorSeverities = ['low', 'medium', 'high', 'critical'] as const;
export type ErrorSeverity = (typeof errorSeverities)[number];

/** A row that is written: `id` makes a retry add it only once. */
type New<Fields> = Fields & Concerns & { id?: string | undefined; createdAt?: Date | undefined };

/** A row as it was kept. */
export interface Recorded {
  id: string;
  person: string | null;
  projectId: string | null;
  conversationId: string | null;
  runId: string | null;
  createdAt: Date;
}

export type NewAuditEntry = New<{
  /** Who did it: a person, an agent, a run. */
  actor: string;
  /** What was done, such as `tool.call`. */
  action: string;
  /** To what. */
  subject?: string | undefined;
  details?: Json | undefined;
}>;

export interface AuditEntry extends Recorded {
  actor: string;
  action: string;
  subject: string | null;
  details: Json;
}

export type NewErrorRecord = New<{
  severity: ErrorSeverity;
  /** The name or code of the error. */
  type: string;
  message: string;
  stack?: string | undefined;
  details?: Json | undefined;
}>;

export interface ErrorRecord extends Recorded {
  severity: ErrorSeverity;
  type: string;
  message: string;
  stack: string | null;
  details: Json;
  /** Null while it is open. */
  resolution: { how: string; by: string | null; at: Date } | null;
}

export type NewMetric = New<{
  name: string;
  value: number;
  unit?: string | undefined;
  labels?: Record<string, string> | undefined;
}>;

/** Figures of the values of one metric; null where there are no values. */
export interface MetricSummary {
  count: number;
  min: number | null;
  max: number | null;
  mean: number | null;
  /** The least value that at least half of all values do not exceed; `p90` and `p99` by the same rule. */
  p50: number | null;
  p90: number | null;
  p99: number | null;
}

export interface AuditFilter extends Concerns {
  after?: Date | undefined;
  before?: Date | undefined;
  /** The latest of them; 100 if absent. */
  limit?: number | undefined;
}

export interface MetricFilter extends Concerns {
  after?: Date | undefined;
  before?: Date | undefined;
  /** Only values that have all of these labels. */
  labels?: Record<string, string> | undefined;
}

/** What was done, what went wrong, how long it took. Rows are only added; an error is resolved once. */
export interface AuditStore extends Purgeable {
  record(entry: NewAuditEntry): Promise<AuditEntry>;
  /** Latest first. */
  entries(
    filter?: AuditFilter & { actor?: string | undefined; action?: string | undefined; subject?: string | undefined },
  ): Promise<AuditEntry[]>;
  recordError(error: NewErrorRecord): Promise<ErrorRecord>;
  /** Latest first. */
  errors(
    filter?: AuditFilter & {
      severity?: ErrorSeverity | undefined;
      type?: string | undefined;
      open?: boolean | undefined;
    },
  ): Promise<ErrorRecord[]>;
  /**
   * Says how an error was resolved; the first resolution stays.
   * @throws {StoreError} `UnknownError`
   */
  resolveError(id: string, how: string, by?: string): Promise<ErrorRecord>;
  /** @throws {StoreError} `InvalidInput` if a value is not finite. */
  measure(...metrics: NewMetric[]): Promise<void>;
  summarize(name: string, filter?: MetricFilter): Promise<MetricSummary>;
}
