import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

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
  DOCKER_HOST: optionalText,
  SANDBOX_IMAGE: optionalText,
  OPENAI_API_KEY: optionalText,
  OPENAI_BASE_URL: optionalText,
  LONGHAUL_MODEL: optionalText,
  LONGHAUL_SCRIPT: optionalText,
  LONGHAUL_MODEL_HEADERS: z.enum(['on', 'off']).optional(),
  LONGHAUL_TASK_QUEUE: optionalText,
});

/** Every setting that Longhaul takes from its environment; nothing else reads `process.env`. */
export interface Configuration {
  /** The data folder: state of the stack, logs, LanceDB, caches. */
  home: string;
  temporal: { address?: string; namespace: string; uiUrl?: string; cliPath?: string; taskQueue: string };
  database: { url?: string };
  memory: { uri: string };
  docker: { host?: string };
  sandbox: { image?: string };
  model: {
    apiKey?: string;
    baseUrl?: string;
    name?: string;
    /** The folder of answers for the scripted model, which is used where neither a key nor a base URL is set. */
    script?: string;
    /** Whether requests carry `X-Longhaul-*` headers; by default only where a base URL is set, never to the provider's own. */
    headers: boolean;
  };
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
    memory: { uri: values.LANCEDB_URI ?? join(home, 'lancedb') },
    docker: present('host', values.DOCKER_HOST),
    sandbox: present('image', values.SANDBOX_IMAGE),
    model: {
      ...present('apiKey', values.OPENAI_API_KEY),
      ...present('baseUrl', values.OPENAI_BASE_URL),
      ...present('name', values.LONGHAUL_MODEL),
      ...present('script', values.LONGHAUL_SCRIPT),
      headers: values.LONGHAUL_MODEL_HEADERS
        ? values.LONGHAUL_MODEL_HEADERS === 'on'
        : values.OPENAI_BASE_URL !== undefined && !values.OPENAI_BASE_URL.includes('//api.openai.com'),
    },
  };
}

function present<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}
