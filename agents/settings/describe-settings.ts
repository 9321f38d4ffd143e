import { type Configuration, environmentVariables } from '../../config/configuration.ts';
import type { LonghaulConfig } from '../../config/define-config.ts';
import { readEnvFile } from '../../config/environment.ts';
import { providerVariables, variablesOf } from '../../config/settings/model-settings.ts';
import { callSettingsOf } from '../../domain/model/call-settings-of-role.ts';
import type { Source } from '../../domain/model/layer.ts';
import { embeddingModelOf, modelOf } from '../../domain/model/model-of-role.ts';
import { textRoles } from '../../domain/model/model-role.ts';
import { defaultStuckLimits } from '../../domain/run/loop-detection.ts';
import { roles } from '../../domain/run/role.ts';
import { turnLimit } from '../run-limits.ts';

/** A setting with its effective value. */
export interface DescribedSetting {
  /** An environment variable, or a path in the config file. */
  name: string;
  /** Secrets are masked; null if unset and without a default. */
  value: string | null;
  source: Exclude<Source, 'project'>;
}

/** Every setting with its value and source, except those of projects. */
export function describeSettings(
  configuration: Configuration,
  environment: Record<string, string | undefined>,
): DescribedSetting[] {
  return [
    ...ofEnvironment(configuration, environment),
    ...ofModels(configuration, environment),
    ...ofFile(configuration),
  ];
}

/** Variables of Docker's own clients that count beside DOCKER_HOST. */
const dockerVariables = ['DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY'];

const listed = [...environmentVariables, ...dockerVariables, ...providerVariables];

const further = /^(LONGHAUL_(MODEL|REASONING_EFFORT)_|TEMPORAL_|[A-Z]+_(API_KEY|BASE_URL)$)/;

function ofEnvironment(
  { home, temporal, memory, model, configFile, tracing }: Configuration,
  environment: Record<string, string | undefined>,
): DescribedSetting[] {
  const defaults: Record<string, string | undefined> = {
    LONGHAUL_HOME: home,
    LONGHAUL_CONFIG: configFile,
    TEMPORAL_NAMESPACE: temporal.namespace,
    LONGHAUL_TASK_QUEUE: temporal.taskQueue,
    LANCEDB_URI: memory.uri,
    LONGHAUL_MEMORY_CONSOLIDATION: memory.consolidation,
    LONGHAUL_MEMORY_SUMMARIES: String(memory.summaries),
    OTEL_SERVICE_NAME: tracing.serviceName,
    ...Object.fromEntries(
      Object.entries(model.providers).map(([name, { baseUrl }]) => [variablesOf(name).baseUrl, baseUrl]),
    ),
  };
  const others = Object.keys(environment).filter((name) => further.test(name) && environment[name]?.trim());
  return [...new Set([...listed, ...others.sort()])].map((name) => {
    const set = environment[name]?.trim();
    const value = set || defaults[name];
    return { name, value: value === undefined ? null : mask(name, value), source: sourceOf(name, environment) };
  });
}

/** Where a variable's value comes from; if both the environment and `.env` have it, it counts as that of `.env`. */
function sourceOf(name: string, environment: Record<string, string | undefined>): DescribedSetting['source'] {
  const value = environment[name];
  if (!value?.trim()) return 'default';
  return readEnvFile(environment)[name] === value ? '.env' : 'environment';
}

/** Tells `.env` apart from the rest of the environment. `variable` is the role's own; if it is unset, the general one is looked up. */
export function originOf(source: Source, variable: string, environment: Record<string, string | undefined>): Source {
  if (source !== 'environment') return source;
  return sourceOf(environment[variable] ? variable : variable.replace(/_[A-Z]+$/, ''), environment);
}

function mask(name: string, value: string): string {
  if (/KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|OTLP.*HEADERS/.test(name))
    return value.length > 16 ? `****${value.slice(-4)}` : '****';
  return value
    .replace(/(:\/\/[^/\s:@]*):[^@\s]*@/g, '$1:****@')
    .replace(/([?&][^=&\s]*(?:key|token|secret|password)[^=&\s]*=)[^&\s]*/gi, '$1****');
}

function ofModels(
  { model, agents }: Configuration,
  environment: Record<string, string | undefined>,
): DescribedSetting[] {
  const at = (source: Source, variable: string): DescribedSetting['source'] => {
    const origin = originOf(source, variable, environment);
    return origin === 'project' ? 'default' : origin;
  };
  return [
    ...textRoles.map((role) => {
      const { value: named, source } = modelOf(model, role);
      const value = model.scripted && source === 'default' ? 'scripted' : named || 'none';
      return { name: `models.${role}`, value, source: at(source, `LONGHAUL_MODEL_${role.toUpperCase()}`) };
    }),
    (({ value, source }) => ({ name: 'models.embedding', value, source: at(source, 'LONGHAUL_MODEL_EMBEDDING') }))(
      embeddingModelOf(model),
    ),
    ...textRoles.flatMap((role) =>
      Object.entries(callSettingsOf(model, role)).flatMap(([name, setting]) =>
        setting === undefined
          ? []
          : [
              {
                name: `modelSettings.${role}.${name}`,
                value: String(setting.value),
                source: at(setting.source, `LONGHAUL_REASONING_EFFORT_${role.toUpperCase()}`),
              },
            ],
      ),
    ),
    ...Object.entries(model.contextWindows).map(([name, { value, source }]) => ({
      name: `contextWindows.${name}`,
      value: String(value),
      source: at(source, 'LONGHAUL_CONTEXT_WINDOWS'),
    })),
    ...model.textOnlyModels.map((name) => ({ name: 'textOnlyModels', value: name, source: 'file' as const })),
    ...roles.map((role) => {
      const { value, source } = turnLimit(role, {}, agents.maxTurns);
      return {
        name: `maxTurns.${role}`,
        value: String(value),
        source: source === 'file' ? ('file' as const) : ('default' as const),
      };
    }),
  ];
}

function ofFile(configuration: Configuration): DescribedSetting[] {
  const { agents, model, sandbox, projects, tracing, metrics, logging, fileSettings: config } = configuration;
  const rows = (name: keyof LonghaulConfig, values: object) =>
    flatten(name, values).map(([path, value]) => ({
      name: path,
      value,
      source: isIn(config, path) ? ('file' as const) : ('default' as const),
    }));
  return [
    ...rows('budgets', agents.budgets),
    ...rows('chat', agents.chat),
    ...rows('tools', agents.tools),
    ...rows('stuck', { ...defaultStuckLimits, ...agents.stuck }),
    ...rows('sandbox', {
      diskGigabytes: sandbox.disk.bytes / 1024 ** 3,
      files: sandbox.disk.files,
      ...sandbox.isolation,
    }),
    ...rows('tracing', {
      ...(config.tracing?.endpoint && { endpoint: tracing.endpoint }),
      contents: tracing.contents,
      sinks: tracing.sinks.length,
    }),
    ...rows('metrics', { address: metrics.address ?? 'none' }),
    ...rows('logging', logging),
    {
      name: 'projectRoots',
      value: projects.roots.join(' '),
      source: config.projectRoots === undefined ? 'default' : 'file',
    },
    { name: 'prompts', value: agents.promptsFolder, source: config.prompts === undefined ? 'default' : 'file' },
    {
      name: 'providers',
      value: model.own.map(({ name }) => name).join(', ') || null,
      source: model.own.length ? 'file' : 'default',
    },
  ];
}

function flatten(path: string, value: unknown): Array<[string, string]> {
  if (Array.isArray(value)) return [[path, value.join(' ')]];
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(`${path}.${key}`, inner));
}

function isIn(config: unknown, path: string): boolean {
  return (
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config) !==
    undefined
  );
}
