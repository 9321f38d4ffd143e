import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError } from '../domain/configuration-error.ts';
import type { EventBusSettings } from '../domain/event-bus-settings.ts';
import type { McpServers } from '../domain/mcp/mcp-server.ts';
import { reasoningEfforts } from '../domain/model/model-provider.ts';
import { logFormats, logLevels } from '../domain/telemetry/log.ts';
import type { LoggingSettings, MetricsSettings, TracingSettings } from '../domain/telemetry/settings.ts';
import { configured } from './configure.ts';
import type { ConfigFile, LonghaulConfig } from './define-config.ts';
import { absoluteFolders, present, withAbsolutePaths } from './environment.ts';
import { type PayloadKey, readPayloadKeys } from './payload-keys.ts';
import { type AgentSettings, readAgentSettings } from './settings/agent-settings.ts';
import { readEventBusSettings } from './settings/event-bus-settings.ts';
import { type ModelSettings, readModelSettings } from './settings/model-settings.ts';
import { readSandboxSettings, type SandboxSettings } from './settings/sandbox-settings.ts';
import { readSearchSettings } from './settings/search-settings.ts';
import {
  isMetricsAddress,
  metricsExpected,
  readLoggingSettings,
  readMetricsSettings,
  readTracingSettings,
} from './settings/telemetry-settings.ts';

const optionalText = z
  .string()
  .trim()
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const oneOf = <Value extends string>(values: readonly Value[]) => optionalText.pipe(z.enum(values).optional());

const environmentSchema = z.object({
  LONGHAUL_HOME: optionalText.refine((text) => !/^\/(proc|sys|dev)(\/|$)/.test(text ?? ''), {
    message: 'expected a folder that files can be written to, not one in /proc, /sys or /dev', // making one below /proc would never return
  }),
  LONGHAUL_CONFIG: optionalText,
  TEMPORAL_ADDRESS: optionalText,
  TEMPORAL_NAMESPACE: optionalText,
  TEMPORAL_UI_URL: optionalText,
  TEMPORAL_CLI_PATH: optionalText,
  DATABASE_URL: optionalText,
  LONGHAUL_EVENT_BUS: optionalText,
  LANCEDB_URI: optionalText,
  EMBEDDING_MODEL_PATH: optionalText,
  LONGHAUL_MEMORY_LANGUAGE: optionalText,
  LONGHAUL_MEMORY_CONSOLIDATION: optionalText.refine(
    (text) => text === undefined || text === 'off' || /^[1-9]\d* (minute|hour|day|week)s?$/.test(text),
    { message: 'expected a duration such as "1 day" or "12 hours", or "off"' },
  ),
  LONGHAUL_MEMORY_SUMMARIES: optionalText.refine((text) => text === undefined || /^\d{1,3}$/.test(text), {
    message: 'expected a whole number from 0 to 999',
  }),
  DOCKER_HOST: optionalText,
  SANDBOX_IMAGE: optionalText,
  LONGHAUL_MODEL: optionalText,
  LONGHAUL_REASONING_EFFORT: oneOf(reasoningEfforts),
  LONGHAUL_CONTEXT_WINDOWS: optionalText,
  LONGHAUL_SCRIPT: optionalText,
  LONGHAUL_MODEL_HEADERS: oneOf(['on', 'off']),
  LONGHAUL_OPENAI_API: oneOf(['chat', 'responses']),
  LONGHAUL_RECORD: optionalText.refine((text) => text === undefined || /^[01]$/.test(text) || isAbsolute(text), {
    message: 'expected 1, 0 or the path of a folder, such as ./recordings',
  }),
  LONGHAUL_ANSWER_MINUTES: optionalText.refine((text) => text === undefined || /^[1-9]\d{0,3}$/.test(text), {
    message: 'expected a whole number from 1 to 9999',
  }),
  LONGHAUL_TASK_QUEUE: optionalText,
  LONGHAUL_PAYLOAD_KEYS: optionalText,
  LONGHAUL_SEARCH: optionalText,
  BRAVE_API_KEY: optionalText,
  OTEL_SDK_DISABLED: optionalText,
  OTEL_TRACES_EXPORTER: optionalText,
  OTEL_SERVICE_NAME: optionalText,
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalText,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalText,
  OTEL_EXPORTER_OTLP_HEADERS: optionalText,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: optionalText,
  LONGHAUL_TRACE_CONTENTS: oneOf(['on', 'off']),
  LONGHAUL_METRICS: optionalText.refine((text) => text === undefined || isMetricsAddress(text), {
    message: metricsExpected,
  }),
  LONGHAUL_LOG_LEVEL: oneOf(logLevels),
  LONGHAUL_LOG_FORMAT: oneOf(logFormats),
});

/** The variables with their own names; those of roles and providers are separate. */
export const environmentVariables = Object.keys(environmentSchema.shape);

/** Every setting that Longhaul takes from its environment and from `longhaul.config.ts`; nothing else reads `process.env`. */
export interface Configuration {
  /** The data folder: state of the stack, logs, LanceDB, caches. */
  home: string;
  temporal: {
    address?: string;
    namespace: string;
    uiUrl?: string;
    cliPath?: string;
    taskQueue: string;
    /** What goes through Temporal is encrypted with the first of them, and not at all without any. */
    payloadKeys: PayloadKey[];
  };
  database: { url?: string };
  /** What carries live output and news between workers, agents' hosts and those who watch. */
  events: EventBusSettings;
  memory: {
    uri: string;
    /** The folder of the local embedding model; in the cache by default. */
    modelFolder?: string;
    /** What the full-text index is made for, such as `English`. */
    language?: string;
    /** How often the memories are consolidated, such as `1 day`; never where `off`. */
    consolidation: string;
    /** The most summaries that a consolidation proposes. */
    summaries: number;
  };
  docker: { host?: string };
  sandbox: SandboxSettings;
  model: ModelSettings;
  agents: AgentSettings;
  /** The settings file, absolute; by default the one that LONGHAUL_CONFIG names. */
  configFile?: string;
  /** What the settings file sets; empty without one. */
  fileSettings: LonghaulConfig;
  tracing: TracingSettings;
  metrics: MetricsSettings;
  logging: LoggingSettings;
  /** MCP servers whose tools agents get; those of `.mcp.json` only where the settings file is read too. */
  mcpServers: McpServers;
  projects: {
    /** The person's home folder. */
    userHome: string;
    /** Where projects live that were started without a folder. */
    folder: string;
    /** Folders below which anyone who can start a workflow may open projects; the one above is the first. */
    roots: string[];
  };
}

/**
 * Reads the configuration from the environment given, its paths from the current folder, from what `configure` was given, and from the file of
 * settings where one is; `loadConfiguration` finds that.
 * @throws {ConfigurationError} naming each variable, what it takes and what came.
 */
export function readConfiguration(
  environment: Record<string, string | undefined>,
  read?: ConfigFile | undefined,
): Configuration {
  const file = withConfigured(read);
  const parsed = environmentSchema.safeParse(withAbsolutePaths(environment));
  if (!parsed.success) {
    const complaints = parsed.error.issues.map(
      (issue) => `${issue.path.join('.')}: ${issue.message}, got "${environment[String(issue.path[0])]}"`,
    );
    throw new ConfigurationError(`The environment has invalid settings.\n${complaints.join('\n')}`);
  }
  const values = parsed.data;
  const home = values.LONGHAUL_HOME ?? join(homedir(), '.longhaul');
  const model = readModelSettings(
    environment,
    {
      name: values.LONGHAUL_MODEL,
      reasoningEffort: values.LONGHAUL_REASONING_EFFORT,
      contextWindows: values.LONGHAUL_CONTEXT_WINDOWS,
      script: values.LONGHAUL_SCRIPT,
      headers: values.LONGHAUL_MODEL_HEADERS,
      openAiApi: values.LONGHAUL_OPENAI_API,
      answerMinutes: values.LONGHAUL_ANSWER_MINUTES,
      recordTo: recordingFolder(values.LONGHAUL_RECORD, home),
    },
    file?.config,
  );
  const search = readSearchSettings(values.LONGHAUL_SEARCH, values.BRAVE_API_KEY);
  return {
    home,
    temporal: {
      ...present('address', values.TEMPORAL_ADDRESS),
      namespace: values.TEMPORAL_NAMESPACE ?? 'default',
      ...present('uiUrl', values.TEMPORAL_UI_URL),
      ...present('cliPath', values.TEMPORAL_CLI_PATH),
      taskQueue: values.LONGHAUL_TASK_QUEUE ?? 'longhaul',
      payloadKeys: readPayloadKeys(values.LONGHAUL_PAYLOAD_KEYS),
    },
    database: present('url', values.DATABASE_URL),
    events: readEventBusSettings(values.LONGHAUL_EVENT_BUS),
    memory: {
      uri: values.LANCEDB_URI ?? join(home, 'lancedb'),
      ...present('modelFolder', values.EMBEDDING_MODEL_PATH),
      ...present('language', values.LONGHAUL_MEMORY_LANGUAGE),
      consolidation: values.LONGHAUL_MEMORY_CONSOLIDATION ?? '1 day',
      summaries: Number(values.LONGHAUL_MEMORY_SUMMARIES ?? 10),
    },
    docker: present('host', values.DOCKER_HOST),
    sandbox: readSandboxSettings(values.SANDBOX_IMAGE, file),
    model,
    agents: readAgentSettings({ home, search, hasSecondProvider: model.second !== undefined }, file),
    ...present('configFile', read?.path ?? values.LONGHAUL_CONFIG),
    fileSettings: file?.config ?? {},
    tracing: readTracingSettings(values, file?.config.tracing),
    metrics: readMetricsSettings(values, file?.config.metrics),
    logging: readLoggingSettings(values, file?.config.logging),
    mcpServers: file?.config.mcpServers ?? {},
    projects: projectPlaces(home, file),
  };
}

/** The program's own settings take precedence over those of the file; its paths are absolute. */
function withConfigured(file: ConfigFile | undefined): ConfigFile | undefined {
  const own = configured();
  return own === undefined ? file : { path: file?.path ?? '.', config: { ...file?.config, ...own } };
}

function projectPlaces(home: string, file: ConfigFile | undefined): Configuration['projects'] {
  const folder = join(home, 'projects');
  return { userHome: homedir(), folder, roots: [folder, ...absoluteFolders(file, file?.config.projectRoots)] };
}

/** `1` is a folder below the data folder, `0` like nothing; anything else names one. */
function recordingFolder(value: string | undefined, home: string): string | undefined {
  if (value === undefined || value === '0') return undefined;
  return value === '1' ? join(home, 'recordings') : value;
}
