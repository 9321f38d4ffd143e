import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type ModelSettings, readModelSettings } from './model-settings.ts';

const optionalText = z
  .string()
  .trim()
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const environmentSchema = z.object({
  LONGHAUL_HOME: optionalText,
  TEMPORAL_ADDRESS: optionalText,
  TEMPORAL_NAMESPACE: optionalText,
  TEMPORAL_UI_URL: optionalText,
  TEMPORAL_CLI_PATH: optionalText,
  DATABASE_URL: optionalText,
  LANCEDB_URI: optionalText,
  EMBEDDING_MODEL_PATH: optionalText,
  LONGHAUL_MEMORY_LANGUAGE: optionalText,
  DOCKER_HOST: optionalText,
  SANDBOX_IMAGE: optionalText,
  LONGHAUL_MODEL: optionalText,
  LONGHAUL_SCRIPT: optionalText,
  LONGHAUL_MODEL_HEADERS: z.enum(['on', 'off']).optional(),
  LONGHAUL_OPENAI_API: z.enum(['chat', 'responses']).optional(),
  LONGHAUL_TASK_QUEUE: optionalText,
});

/** Every setting that Longhaul takes from its environment; nothing else reads `process.env`. */
export interface Configuration {
  /** The data folder: state of the stack, logs, LanceDB, caches. */
  home: string;
  temporal: { address?: string; namespace: string; uiUrl?: string; cliPath?: string; taskQueue: string };
  database: { url?: string };
  memory: {
    uri: string;
    /** The folder of the local embedding model; in the cache where absent. */
    modelFolder?: string;
    /** What the full-text index is made for, such as `English`. */
    language?: string;
  };
  docker: { host?: string };
  sandbox: { image?: string };
  model: ModelSettings;
}

/** Thrown when the environment holds a value that no setting takes. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/**
 * Reads the configuration from the environment given.
 * @throws {ConfigurationError} naming each variable, what it takes and what came.
 */
export function readConfiguration(environment: Record<string, string | undefined>): Configuration {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const complaints = parsed.error.issues.map(
      (issue) => `${issue.path.join('.')}: ${issue.message}, got "${environment[String(issue.path[0])]}"`,
    );
    throw new ConfigurationError(`The environment has settings that Longhaul cannot use.\n${complaints.join('\n')}`);
  }
  const values = parsed.data;
  const home = resolve(values.LONGHAUL_HOME ?? join(homedir(), '.longhaul'));
  return {
    home,
    temporal: {
      ...present('address', values.TEMPORAL_ADDRESS),
      namespace: values.TEMPORAL_NAMESPACE ?? 'default',
      ...present('uiUrl', values.TEMPORAL_UI_URL),
      ...present('cliPath', values.TEMPORAL_CLI_PATH),
      taskQueue: values.LONGHAUL_TASK_QUEUE ?? 'longhaul',
    },
    database: present('url', values.DATABASE_URL),
    memory: {
      uri: values.LANCEDB_URI ?? join(home, 'lancedb'),
      ...present('modelFolder', values.EMBEDDING_MODEL_PATH),
      ...present('language', values.LONGHAUL_MEMORY_LANGUAGE),
    },
    docker: present('host', values.DOCKER_HOST),
    sandbox: present('image', values.SANDBOX_IMAGE),
    model: readModelSettings(environment, {
      name: values.LONGHAUL_MODEL,
      script: values.LONGHAUL_SCRIPT,
      headers: values.LONGHAUL_MODEL_HEADERS,
      openAiApi: values.LONGHAUL_OPENAI_API,
    }),
  };
}

function present<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}
