import { type Layer, pick, type Sourced } from '../config/layer.ts';
import type { TextRole } from './model-role.ts';

/** Models that are good at calling tools, where none is named; the provider that is set decides. */
const defaults: Record<string, string> = { openai: 'openai/gpt-5', anthropic: 'anthropic/claude-sonnet-5' };

export interface ModelNames {
  /** Names by commas, tried in order; the first layer that has some counts. */
  models: Layer<string>[];
  /** Of these the first is the one that is set. */
  providers: Record<string, unknown>;
}

/** What a project says of the models of its agents. */
export interface ProjectModels {
  model?: string | undefined;
  models?: { [role: string]: string | undefined } | undefined;
}

/** The models that a role asks, tried in order, and who named them: its project, the environment, the file of settings or nobody. */
export function modelOf(
  { models, providers }: ModelNames,
  role: TextRole,
  project: ProjectModels = {},
): Sourced<string> {
  const layers = [{ source: 'project' as const, all: project.model, roles: project.models ?? {} }, ...models];
  return (
    pick(layers, role) ?? { value: defaults[Object.keys(providers)[0] ?? ''] ?? 'openai/gpt-5', source: 'default' }
  );
}

/** The model that makes vectors: one named for just that, since one that writes does not, or `local`, the one that comes along; or `none`. */
export function embeddingModelOf({ models }: Pick<ModelNames, 'models'>): Sourced<string> {
  return pick(models, 'embedding', { own: true }) ?? { value: 'local', source: 'default' };
}
