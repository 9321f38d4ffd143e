import { splitModelNames } from '../models/model-name.ts';
import {
  type ModelCallSettings,
  type ModelProvider,
  type ReasoningEffort,
  reasoningEfforts,
} from '../models/model-provider.ts';
import { type ModelRole, modelRoles, textRoles } from '../models/model-role.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { LonghaulConfig } from './define-config.ts';
import type { Layer } from './layer.ts';

/** How each provider is reached, which models each role asks and how. */
export interface ModelSettings {
  /** `provider/model`, tried in order, by commas; the first layer that names one counts. */
  models: Layer<string>[];
  /** How they are asked; the first layer that has one of the settings counts for it. */
  calls: Layer<ModelCallSettings>[];
  /** Providers of one's own. */
  own: ModelProvider[];
  /** The folder of answers for the scripted model, which is used where no provider is set. */
  script?: string;
  /** Those that are set, by name, and those that need no key; the one that names without a provider mean comes first. */
  providers: Record<string, { apiKey?: string; baseUrl?: string; headers: boolean }>;
  openAiApi?: 'chat' | 'responses';
  /** The folder that exchanges with providers are recorded in; they are not where absent. */
  recordTo?: string;
  /** True where neither a key, nor an address, nor a model that needs none is set. */
  scripted: boolean;
}

/** Servers that speak OpenAI's protocol, and where they listen by themselves; the first two need keys. */
const compatible: Record<string, string | undefined> = {
  openrouter: 'https://openrouter.ai/api/v1',
  litellm: undefined,
  ollama: 'http://127.0.0.1:11434/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
  vllm: 'http://127.0.0.1:8000/v1',
};

const local = ['ollama', 'lmstudio', 'vllm'];
const providerNames = ['openai', 'anthropic', ...Object.keys(compatible)];

export const providerVariables = providerNames.flatMap((name) => [
  `${name.toUpperCase()}_API_KEY`,
  `${name.toUpperCase()}_BASE_URL`,
]);

interface ModelVariables {
  name?: string | undefined;
  reasoningEffort?: ReasoningEffort | undefined;
  script?: string | undefined;
  headers?: 'on' | 'off' | undefined;
  openAiApi?: 'chat' | 'responses' | undefined;
  recordTo?: string | undefined;
}

/**
 * Reads the providers' usual variables (`OPENAI_API_KEY`, `OLLAMA_BASE_URL` ...), the settings of roles (`LONGHAUL_MODEL_CODE` ...), and what
 * the file of settings says of models.
 * @throws {ConfigurationError}
 */
export function readModelSettings(
  environment: Record<string, string | undefined>,
  { name, reasoningEffort, script, headers, openAiApi, recordTo }: ModelVariables,
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
  // Who embeds memories is no model that could do a role's work.
  const named = models.flatMap(({ all, roles: { embedding: _, ...working } }) =>
    [all, ...Object.values(working)].flatMap((names) => splitModelNames(names ?? '')),
  );
  const isNamed = (provider: string) => named.some((model) => model.startsWith(`${provider}/`));
  const own = config.providers ?? [];
  const providers: ModelSettings['providers'] = {};
  const set: string[] = [];
  for (const provider of providerNames) {
    const apiKey = value(`${provider.toUpperCase()}_API_KEY`);
    const baseUrl = value(`${provider.toUpperCase()}_BASE_URL`);
    if (apiKey || baseUrl || (local.includes(provider) && isNamed(provider))) set.push(provider);
    const address = baseUrl ?? compatible[provider];
    providers[provider] = {
      ...(apiKey && { apiKey }),
      ...(address && { baseUrl: address }),
      // A gateway of one's own logs them; a provider has no use for them.
      headers: headers ? headers === 'on' : baseUrl !== undefined && !/\/\/api\.(openai|anthropic)\.com/.test(baseUrl),
    };
  }
  // Names without a provider mean OpenAI's, or the only provider that is set.
  const first = set.includes('openai') ? 'openai' : (set[0] ?? 'openai');
  const ordered = [first, ...providerNames.filter((provider) => provider !== first)];
  return {
    models,
    calls,
    own,
    ...(script && { script }),
    providers: Object.fromEntries(ordered.map((provider) => [provider, providers[provider] ?? { headers: false }])),
    ...(openAiApi && { openAiApi }),
    ...(recordTo && { recordTo }),
    scripted: set.length === 0 && !own.some((provider) => isNamed(provider.name)),
  };
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

/** What a setting of the file says of all roles and of each. */
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
