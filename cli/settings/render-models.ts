import type { RoleModels } from '../../agents/settings/check-models.ts';
import type { ModelCheck } from '../../agents/settings/create-model-check.ts';
import { formatDuration } from '../../client/format/time.ts';
import { alignColumns } from '../render/columns.ts';
import { printableLine } from '../render/printable.ts';
import type { Colors } from '../render/style.ts';

/**
 * Renders the output of `longhaul models`: a line per model of each role, in the order they are tried, with the source of each setting in brackets.
 */
export function renderModels(found: RoleModels[], colors: Colors): string {
  const rows = found.flatMap(({ role, models, source, settings }) => {
    const details = [`(${source})`, describeSettings(settings)].filter(Boolean).join(' ');
    return models.map((model, index) =>
      index === 0
        ? [role, model.name, details, describe(model, colors)]
        : ['', model.name, '', describe(model, colors)],
    );
  });
  return alignColumns(rows)
    .map((line) => line.trimEnd())
    .join('\n');
}

function describeSettings({ reasoningEffort, maxOutputTokens, temperature, maxTurns }: RoleModels['settings']): string {
  const details = [
    reasoningEffort && `effort ${reasoningEffort.value} (${reasoningEffort.source})`,
    maxOutputTokens && `at most ${maxOutputTokens.value} tokens (${maxOutputTokens.source})`,
    temperature && `temperature ${temperature.value} (${temperature.source})`,
    maxTurns && `${maxTurns.value} turns (${maxTurns.source})`,
  ];
  return details.filter(Boolean).join(', ');
}

function describe({ answers, durationMs, problem }: ModelCheck, colors: Colors): string {
  if (answers === undefined) return '';
  if (answers) return `${colors.green('answers')} after ${formatDuration(durationMs ?? 0)}`;
  return `${colors.red('does not answer')}: ${printableLine(problem ?? '')}`;
}
