import { formatDuration } from '../../format/duration.ts';
import type { ModelCheck, RoleModels } from '../check-models.ts';
import { alignColumns } from './align-columns.ts';
import type { Colors } from './colors.ts';
import { printableLine } from './printable.ts';

/** What `longhaul models` prints: a line for each model of each role, in the order in which they are tried. */
export function renderModels(found: RoleModels[], colors: Colors): string {
  const rows = found.flatMap(({ role, models }) =>
    models.map((model, index) => [index === 0 ? role : '', model.name, describe(model, colors)]),
  );
  return alignColumns(rows).join('\n');
}

function describe({ answers, durationMs, problem }: ModelCheck, colors: Colors): string {
  if (answers === undefined) return '';
  if (answers) return `${colors.green('answers')} after ${formatDuration(durationMs ?? 0)}`;
  return `${colors.red('does not answer')}: ${printableLine(problem ?? '')}`;
}
