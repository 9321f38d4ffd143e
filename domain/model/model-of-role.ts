import { ConfigurationError } from '../configuration-error.ts';
import type { ChatAgent } from '../project/settings.ts';
import { type Layer, pick, type Sourced } from './layer.ts';
import type { TextRole } from './model-role.ts';

/** Models that are good at calling tools, for roles that name none; the configured provider decides. */
const defaults: Record<string, string> = {
  openai: 'openai/gpt-5',
  anthropic: 'anthropic/claude-sonnet-5',
  openrouter: 'openrouter/openai/gpt-5',
};

export interface ModelNames {
  /** Names separated by commas, tried in order; the first layer that has some counts. */
  models: Layer<string>[];
  /** The first one is the configured one. */
  providers: Record<string, { apiKey?: string; baseUrl?: string }>;
  /** Another provider that is set, for second opinions. */
  second?: string | undefined;
  /** No provider is set at all. */
  scripted?: boolean | undefined;
}

/** The models that a project sets for its agents. */
export interface ProjectModels {
  model?: string | undefined;
  models?: { [role: string]: string | undefined } | undefined;
}

/**
 * The models that a role asks, tried in order, and who named them: its project, the environment, the settings file or nobody. Empty if nobody did and
 * the provider that is set has no usual one: what a person wrote for one provider must not be sent to another.
 */
export function modelOf(
  { models, providers, second = '', scripted }: ModelNames,
  role: TextRole,
  project: ProjectModels = {},
): Sourced<string> {
  const layers = [{ source: 'project' as const, all: project.model, roles: project.models ?? {} }, ...models];
  const opinion = role === 'reviewer' ? defaults[second] : undefined;
  const named = pick(layers, role, { own: opinion !== undefined });
  return named ?? { value: opinion ?? defaultModel({ providers, scripted }), source: 'default' };
}

function defaultModel({ providers, scripted }: Pick<ModelNames, 'providers' | 'scripted'>): string {
  const [first = 'openai', settings = {}] = Object.entries(providers)[0] ?? [];
  const isSet = scripted || settings.apiKey !== undefined || settings.baseUrl !== undefined;
  return (isSet && defaults[first]) || '';
}

/** What to do about a role for which no model is named. */
export const nameModel = 'Set LONGHAUL_MODEL to a `provider/model`.';

/**
 * The same, for a role that is about to be asked.
 * @throws {ConfigurationError} if no model is named, and none is usual.
 */
export function expectModelOf(names: ModelNames, role: TextRole): string {
  const { value } = modelOf(names, role);
  if (value) return value;
  throw new ConfigurationError(
    `Expected a model for the role ${role}, since the configured provider has no default model; got none. ${nameModel}`,
  );
}

/** The embedding model: one named for that role alone, since a text model makes no vectors, or `local`, the bundled one, or `none`. */
export function embeddingModelOf({ models }: Pick<ModelNames, 'models'>): Sourced<string> {
  return pick(models, 'embedding', { own: true }) ?? { value: 'local', source: 'default' };
}

/** The models of a chat: those that the person chose, otherwise those of its agent. */
export function modelsOfChat(chat: { model: string | null; agent: Pick<ChatAgent, 'model'> | null }): ProjectModels {
  const chosen = chat.model ?? chat.agent?.model;
  return chosen === undefined ? {} : { models: { chat: chosen } };
}
