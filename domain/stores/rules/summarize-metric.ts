import type { MetricSummary } from '../audit.ts';

/** Percentiles are values that occur (nearest rank), as Postgres's `percentile_disc` gives them. */
export function summarizeMetric(values: readonly number[]): MetricSummary {
  const sorted = values.toSorted((left, right) => left - right);
  const count = sorted.length;
  const at = (percent: number) => sorted[Math.max(0, Math.ceil((percent / 100) * count) - 1)] ?? null;
  return {
    count,
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    mean: count ? sorted.reduce((sum, value) => sum + value, 0) / count : null,
    p50: at(50),
    p90: at(90),
    p99: at(99),
  };
}
