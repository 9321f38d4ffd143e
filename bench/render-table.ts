import { alignColumns } from '../cli/render/columns.ts';
import type { Measurement } from './measurement.ts';

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
