import { formatDuration } from '../../client/format/duration.ts';
import type { ModelCheck, RoleModels } from '../settings/check-models.ts';
import { alignColumns } from './align-columns.ts';
import type { Colors } from './colors.ts';
import { printableLine } from './printable.ts';

/**
 * Renders the output of `longhaul models`: a line per model of each role, in the order they are tried, with the source of each setting in brackets.
 */
export function renderModels(found: RoleModels[], colors: Colors): string {
  const rows = found.flatMap(({ role, models, source, settings }) => {
    const told = [`(${source})`, describeSettings(settings)].filter(Boolean).join(' ');
    return models.map((model, index) =>
      index === 0 ? [role, model.name, told, describe(model, colors)] : ['', model.name, '', describe(model, colors)],
    );
  });
  return alignColumns(rows)
    .map((line) => line.trimEnd())
    .join('\n');
}

function describeSettings({ reasoningEffort, maxOutputTokens, temperature, maxTurns }: RoleModels['settings']): string {
  const told = [
    reasoningEffort && `effort ${reasoningEffort.value} (${reasoningEffort.source})`,
    maxOutputTokens && `at most ${maxOutputTokens.value} tokens (${maxOutputTokens.source})`,
    temperature && `temperature ${temperature.value} (${temperature.source})`,
    maxTurns && `${maxTurns.value} turns (${maxTurns.source})`,
  ];
  return told.filter(Boolean).join(', ');
}

function describe({ answers, durationMs, problem }: ModelCheck, colors: Colors): string {
  if (answers === undefined) return '';
  if (answers) return `${colors.green('answers')} after ${formatDuration(durationMs ?? 0)}`;
  return `${colors.red('does not answer')}: ${printableLine(problem ?? '')}`;
}
