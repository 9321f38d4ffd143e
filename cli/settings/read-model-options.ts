import type { ProjectSettings } from '../../domain/project/settings.ts';

/** Parses `--model provider/model` for all roles and `--model role=provider/model` for one; the names are validated with the other settings. */
export function readModelOptions(given: string[]): Pick<ProjectSettings, 'model' | 'models'> {
  const models: Record<string, string> = {};
  let model: string | undefined;
  for (const one of given) {
    const [, role, name] = /^([a-z]+)=(.*)$/s.exec(one) ?? [];
    if (role !== undefined && name !== undefined) models[role] = name;
    else model = one;
  }
  return { model, models: Object.keys(models).length ? models : undefined };
}

/** The arguments of `.option()`, for commands that name models. */
export const modelOption = [
  '--model <model>',
  'provider/model for its agents, or role=provider/model; a comma-separated list is tried in order',
  (model: string, earlier: string[] = []) => [...earlier, model],
] as const;
