import { type Layer, pick, type Sourced } from '../config/layer.ts';
import type { TextRole } from './model-role.ts';

/** Models that are good at calling tools, for roles that name none; the configured provider decides. */
const defaults: Record<string, string> = { openai: 'openai/gpt-5', anthropic: 'anthropic/claude-sonnet-5' };

export interface ModelNames {
  /** Names separated by commas, tried in order; the first layer that has some counts. */
  models: Layer<string>[];
  /** The first one is the configured one. */
  providers: Record<string, unknown>;
}

/** The models that a project sets for its agents. */
export interface ProjectModels {
  model?: string | undefined;
  models?: { [role: string]: string | undefined } | undefined;
}

/** The models that a role asks, tried in order, and who named them: its project, the environment, the settings file or nobody. */
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

/** The embedding model: one named for that role alone, since a text model makes no vectors, or `local`, the bundled one, or `none`. */
export function embeddingModelOf({ models }: Pick<ModelNames, 'models'>): Sourced<string> {
  return pick(models, 'embedding', { own: true }) ?? { value: 'local', source: 'default' };
}
