/** How each provider is reached, and which model each role asks. */
export interface ModelSettings {
  /** Models of all roles, tried in order; `provider/model`, by commas. */
  name?: string;
  /** The same for one role. */
  roles: Record<string, string>;
  /** The folder of answers for the scripted model, which is used where no provider is set. */
  script?: string;
  /** Those that are set, by name, and those that need no key; the one that names without a provider mean comes first. */
  providers: Record<string, { apiKey?: string; baseUrl?: string; headers: boolean }>;
  openAiApi?: 'chat' | 'responses';
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
  script?: string | undefined;
  headers?: 'on' | 'off' | undefined;
  openAiApi?: 'chat' | 'responses' | undefined;
}

/** Reads the providers' usual variables (`OPENAI_API_KEY`, `OLLAMA_BASE_URL` ...) and the models of roles (`LONGHAUL_MODEL_CODE` ...). */
export function readModelSettings(
  environment: Record<string, string | undefined>,
  { name, script, headers, openAiApi }: ModelVariables,
): ModelSettings {
  const value = (variable: string) => environment[variable]?.trim() || undefined;
  const roles: Record<string, string> = {};
  for (const variable of Object.keys(environment)) {
    const role = /^LONGHAUL_MODEL_(?!HEADERS$)([A-Z]+)$/.exec(variable)?.[1]?.toLowerCase();
    const models = value(variable);
    if (role && models) roles[role] = models;
  }
  // Who embeds memories is no model that could do a role's work.
  const { embedding: _, ...working } = roles;
  const named = [name, ...Object.values(working)].flatMap((models) => models?.split(',') ?? []);
  const isNamed = (provider: string) => named.some((model) => model.trim().startsWith(`${provider}/`));
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
    ...(name && { name }),
    roles,
    ...(script && { script }),
    providers: Object.fromEntries(ordered.map((provider) => [provider, providers[provider] ?? { headers: false }])),
    ...(openAiApi && { openAiApi }),
    scripted: set.length === 0,
  };
}
