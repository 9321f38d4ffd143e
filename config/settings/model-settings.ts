import { isOpenAiItself } from '../../domain/addresses.ts';
import { ConfigurationError } from '../../domain/configuration-error.ts';
import type { Layer, Sourced } from '../../domain/model/layer.ts';
import { splitModelNames } from '../../domain/model/model-name.ts';
import {
  type ModelCallSettings,
  type ModelProvider,
  type ReasoningEffort,
  reasoningEfforts,
} from '../../domain/model/model-provider.ts';
import { type ModelRole, modelRoles, textRoles } from '../../domain/model/model-role.ts';
import type { LonghaulConfig } from '../define-config.ts';

/** How each provider is reached, and which models each role calls with which settings. */
export interface ModelSettings {
  /** Comma-separated `provider/model` names, tried in order; the first layer that names any wins. */
  models: Layer<string>[];
  /** Call settings; for each setting, the first layer that has it wins. */
  calls: Layer<ModelCallSettings>[];
  /** Context windows that were configured explicitly. */
  contextWindows: ContextWindows;
  textOnlyModels: string[];
  /** Custom providers. */
  own: ModelProvider[];
  /** Folder of answers for the scripted model, which is used when no provider is set. */
  script?: string;
  /** By provider name; the first one is meant by model names without a provider. */
  providers: Record<string, { apiKey?: string; baseUrl?: string; headers: boolean }>;
  /** Another provider that is set: its model gives second opinions. */
  second?: string;
  openAiApi?: 'chat' | 'responses';
  /** Folder in which exchanges with providers are recorded; if absent, none are. */
  recordTo?: string;
  /** Minutes after which an answer that is still arriving is given up. */
  answerMinutes?: number;
  /** True if no provider is usable: no key and no address is set, and no model is named that needs neither. */
  scripted: boolean;
}

/** OpenAI-compatible servers with their default addresses; the first two need keys. */
const compatible: Record<string, string | undefined> = {
  openrouter: 'https://openrouter.ai/api/v1',
  litellm: undefined,
  ollama: 'http://127.0.0.1:11434/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
  vllm: 'http://127.0.0.1:8000/v1',
};

const local = ['ollama', 'lmstudio', 'vllm'];
const providerNames = ['openai', 'anthropic', ...Object.keys(compatible)];

/** The environment variables for a provider's key and address. */
export function variablesOf(provider: string): { apiKey: string; baseUrl: string } {
  const name = provider.toUpperCase();
  return { apiKey: `${name}_API_KEY`, baseUrl: `${name}_BASE_URL` };
}

export const providerVariables = providerNames.flatMap((name) => Object.values(variablesOf(name)));

interface ModelVariables {
  name?: string | undefined;
  reasoningEffort?: ReasoningEffort | undefined;
  contextWindows?: string | undefined;
  script?: string | undefined;
  headers?: 'on' | 'off' | undefined;
  openAiApi?: 'chat' | 'responses' | undefined;
  recordTo?: string | undefined;
  answerMinutes?: string | undefined;
}

/**
 * Reads the providers' usual variables (`OPENAI_API_KEY`, `OLLAMA_BASE_URL` ...), the per-role variables (`LONGHAUL_MODEL_CODE` ...), and the models
 * of the config file.
 * @throws {ConfigurationError}
 */
export function readModelSettings(
  environment: Record<string, string | undefined>,
  { name, reasoningEffort, contextWindows, script, headers, openAiApi, recordTo, answerMinutes }: ModelVariables,
  config: LonghaulConfig = {},
): ModelSettings {
  const value = (variable: string) => environment[variable]?.trim() || undefined;
  const models: Layer<string>[] = [
    { source: 'environment', all: name, roles: readRoles(environment, 'LONGHAUL_MODEL', modelRoles) },
    { source: 'file', ...splitDefault(config.models, (names) => [names].flat().join(', ')) },
  ];
  const efforts = readRoles(environment, 'LONGHAUL_REASONING_EFFORT', textRoles);
  const calls: Layer<ModelCallSettings>[] = [
    {
      source: 'environment',
      all: { reasoningEffort },
      roles: Object.fromEntries(
        Object.entries(efforts).map(([role, effort]) => [role, { reasoningEffort: checkEffort(role, effort) }]),
      ),
    },
    { source: 'file', ...splitDefault(config.modelSettings, (settings) => settings) },
  ];
  // A model that embeds memories cannot do a role's work.
  const named = models.flatMap(({ all, roles: { embedding: _, ...working } }) =>
    [all, ...Object.values(working)].flatMap((names) => splitModelNames(names ?? '')),
  );
  const isNamed = (provider: string) => named.some((model) => model.startsWith(`${provider}/`));
  const own = config.providers ?? [];
  const providers: ModelSettings['providers'] = {};
  const set: string[] = [];
  for (const provider of providerNames) {
    const variables = variablesOf(provider);
    const apiKey = value(variables.apiKey);
    const baseUrl = value(variables.baseUrl);
    if (baseUrl !== undefined && !URL.canParse(baseUrl)) throw addressUnusable(variables.baseUrl, baseUrl);
    const address = baseUrl ?? compatible[provider];
    const isSomewhere = address !== undefined || !(provider in compatible);
    if (isSomewhere && (apiKey || baseUrl || (local.includes(provider) && isNamed(provider)))) set.push(provider);
    providers[provider] = {
      ...(apiKey && { apiKey }),
      ...(address && { baseUrl: address }),
      // A custom gateway logs these headers; the providers themselves have no use for them.
      headers: headers
        ? headers === 'on'
        : baseUrl !== undefined && !isOpenAiItself(baseUrl) && !/\/\/api\.anthropic\.com/.test(baseUrl),
    };
  }
  const scripted = set.length === 0 && !own.some((provider) => isNamed(provider.name));
  const meant = (provider: string) => isNamed(provider) || (scripted && providers[provider]?.apiKey);
  for (const provider of Object.keys(compatible)) {
    if (!providers[provider]?.baseUrl && !own.some(({ name }) => name === provider) && meant(provider))
      throw addressMissing(provider);
  }
  // A model name without a provider means OpenAI's, or else the first provider that is set.
  const first = set.includes('openai') ? 'openai' : (set[0] ?? 'openai');
  const second = set.find((provider) => provider !== first);
  const ordered = [first, ...providerNames.filter((provider) => provider !== first)];
  return {
    models,
    calls,
    contextWindows: readContextWindows(contextWindows, config.contextWindows),
    textOnlyModels: config.textOnlyModels ?? [],
    own,
    ...(script && { script }),
    providers: Object.fromEntries(ordered.map((provider) => [provider, providers[provider] ?? { headers: false }])),
    ...(second && { second }),
    ...(openAiApi && { openAiApi }),
    ...(recordTo && { recordTo }),
    ...(answerMinutes && { answerMinutes: Number(answerMinutes) }),
    scripted,
  };
}

function addressUnusable(variable: string, given: string): ConfigurationError {
  return new ConfigurationError(
    `Expected ${variable} to be an address, such as https://gateway.example/v1; got "${given}".`,
  );
}

function addressMissing(provider: string): ConfigurationError {
  return new ConfigurationError(
    `Expected ${variablesOf(provider).baseUrl} to be the address of ${provider}, which has no default; got none. Set it, or name a model of another provider.`,
  );
}

/** The variables `<start>_<ROLE>` that are set, by role. */
function readRoles<Role extends ModelRole>(
  environment: Record<string, string | undefined>,
  start: string,
  roles: readonly Role[],
): { [Name in Role]?: string } {
  const found: { [Name in Role]?: string } = {};
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(`${start}_`) || variable === 'LONGHAUL_MODEL_HEADERS' || !text?.trim()) continue;
    const name = variable.slice(start.length + 1);
    const role = roles.find((one) => one.toUpperCase() === name);
    if (role === undefined) {
      const known = roles.map((one) => one.toUpperCase()).join(', ');
      throw new ConfigurationError(`Expected ${start}_<ROLE> to name one of the roles ${known}, got ${variable}.`);
    }
    found[role] = text.trim();
  }
  return found;
}

function checkEffort(role: string, effort: string): ReasoningEffort {
  const known = reasoningEfforts.find((one) => one === effort);
  if (known !== undefined) return known;
  throw new ConfigurationError(
    `Expected LONGHAUL_REASONING_EFFORT_${role.toUpperCase()} to be one of ${reasoningEfforts.join(', ')}, got "${effort}".`,
  );
}

/** Splits a setting of the config file into its default and its per-role values. */
function splitDefault<Given, Value>(
  setting: { [Name in ModelRole | 'default']?: Given | undefined } = {},
  convert: (given: Given) => Value,
): Pick<Layer<Value>, 'all' | 'roles'> {
  const { default: all, ...roles } = setting;
  const given = Object.entries(roles).filter((entry): entry is [string, Given] => entry[1] !== undefined);
  return {
    all: all === undefined ? undefined : convert(all),
    roles: Object.fromEntries(given.map(([role, one]) => [role, convert(one)])),
  };
}

/** Maximum tokens of a request, by `provider/model`; `default` applies to models that Longhaul does not know. */
export type ContextWindows = Record<string, Sourced<number>>;

/** The smallest context window, in tokens, that an agent can work with. */
export const smallestWindow = 2_000;

/**
 * Context windows from the environment (`ollama/qwen3=32768, 65536`; a bare number applies to unknown models) and from the config file. For each
 * model, the environment takes precedence.
 * @throws {ConfigurationError}
 */
export function readContextWindows(
  text: string | undefined,
  file: LonghaulConfig['contextWindows'] = {},
): ContextWindows {
  const windows: ContextWindows = {};
  for (const [name, value] of Object.entries(file)) {
    if (value !== undefined) windows[name] = { value, source: 'file' };
  }
  for (const entry of text?.split(',') ?? []) {
    const [, name = 'default', digits = ''] = /^\s*(?:(.*\S)\s*=)?\s*(\d+)\s*$/.exec(entry) ?? [];
    const value = Number(digits);
    if (value < smallestWindow) {
      throw new ConfigurationError(
        `Expected LONGHAUL_CONTEXT_WINDOWS to be token counts of at least ${smallestWindow} by model, such as "ollama/qwen3=32768, vllm/Qwen/Qwen3=131072", or one count for unknown models; got "${entry.trim()}".`,
      );
    }
    windows[name] = { value, source: 'environment' };
  }
  return windows;
}
