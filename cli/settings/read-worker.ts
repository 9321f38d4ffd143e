import { compareSettings, type SettingDifference } from '../../agents/settings/compare-settings.ts';
import { describeSettings } from '../../agents/settings/describe-settings.ts';
import type { WorkerDescription } from '../../agents/settings/running-settings.ts';
import { ClientError } from '../../client/errors.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { CommandContext } from '../program/command-context.ts';
import { printableLine } from '../render/printable.ts';

/**
 * What the running worker says of its settings, and where this shell's differ; undefined if none runs.
 * @throws {ClientError} `StackNotRunning` and the like, if a project's models are asked for.
 */
export async function readWorker(
  context: CommandContext,
  configuration: Configuration,
  { ask, project }: { ask: boolean; project?: string | undefined },
): Promise<(WorkerDescription & { differences: SettingDifference[] }) | undefined> {
  const here = describeSettings(configuration, context.environment);
  const { scripted } = configuration.model;
  try {
    return await context.withLonghaul(async (longhaul) => {
      const projectId = project === undefined ? undefined : (await longhaul.project(project)).id;
      const description = await longhaul.worker.describe({ ask, ...(projectId && { projectId }) });
      return { ...description, differences: compareSettings(description.settings, here, { scripted }) };
    });
  } catch (error) {
    if (project === undefined && error instanceof ClientError && error.kind === 'away') return undefined;
    throw error;
  }
}

/** Notes in which settings this shell differs from the running worker, and how to apply them. */
export function noteDifferences(context: CommandContext, differences: readonly SettingDifference[]): void {
  if (!differences.length) return;
  const lines = joinRoles(differences).map(
    ({ name, worker, here }) => `  ${name}: ${describe(worker)} in the worker, ${describe(here)} in this shell`,
  );
  context.note(
    [
      'The running worker has other settings than this shell:',
      ...lines,
      '`longhaul down`, then `longhaul up -d` starts it with those of this shell.',
    ].join('\n'),
  );
}

/** A changed model is the same change for every role: one line says it. */
function joinRoles(differences: readonly SettingDifference[]): SettingDifference[] {
  const [first, ...more] = differences.filter(({ name }) => name.startsWith('models.'));
  if (!first || !more.length || more.some(({ worker, here }) => worker !== first.worker || here !== first.here))
    return [...differences];
  const name = `models of ${more.length + 1} roles`;
  return [...differences.filter((one) => !one.name.startsWith('models.')), { ...first, name }];
}

function describe(value: string | null): string {
  return value === null ? 'not set' : printableLine(value) || '(none)';
}
