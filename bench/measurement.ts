import { alignColumns } from '../cli/render/columns.ts';

/** One row of the table. */
export interface Measurement {
  what: string;
  ours: string;
  /** The figure it is compared with, in the same unit. */
  bare?: string;
  ratio?: number;
  /** What counts as good enough, and whether the row reaches it. */
  goal?: { text: string; reached: boolean };
}

/** A row that compares two figures of the same unit, milliseconds by default; `most` is the largest acceptable ratio. */
export function compare(
  what: string,
  ours: number,
  bare: number,
  { most, unit = milliseconds }: { most?: number; unit?(value: number): string } = {},
): Measurement {
  const ratio = ours / bare;
  return {
    what,
    ours: unit(ours),
    bare: unit(bare),
    ratio,
    ...(most !== undefined && { goal: { text: `at most ${most}x`, reached: ratio <= most } }),
  };
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}

/** The median, which load on the machine affects less than the mean. */
export function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined)
    throw new RangeError('Expected values to take the median of, got none.');
  return (lower + upper) / 2;
}

/** The value that this percentage of all values does not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('Expected values to take a percentile of, got none.');
  return value;
}

/** Renders the measurements as lines of a table. */
export function renderTable(measurements: Measurement[]): string[] {
  const rows = measurements.map(({ what, ours, bare, ratio, goal }) => [
    what,
    ours,
    bare ?? '',
    ratio === undefined ? '' : `${ratio.toFixed(2)}x`,
    goal ? `${goal.text}: ${goal.reached ? 'reached' : 'MISSED'}` : '',
  ]);
  return alignColumns([['measured', 'ours', 'against', 'ratio', 'goal'], ...rows]).map((line) => line.trimEnd());
}
