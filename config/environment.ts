import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigurationError } from '../domain/configuration-error.ts';

/** Variables whose value is a file or a folder. */
const paths = [
  'LONGHAUL_HOME',
  'LONGHAUL_CONFIG',
  'LONGHAUL_SCRIPT',
  'LANCEDB_URI',
  'EMBEDDING_MODEL_PATH',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'DOCKER_CERT_PATH',
  'DOCKER_CONFIG',
];
/** Variables that also take a word that is not a path, such as `1` or a program in PATH; a value with a slash is a path. */
const pathsOrWords = ['LONGHAUL_RECORD', 'TEMPORAL_CLI_PATH'];

/**
 * The variables with relative paths resolved against the folder (the current one by default) and `~/` against the home folder, because a
 * process that inherits them may have another current folder, as `longhaul up -d` has. URLs are left as they are.
 */
export function withAbsolutePaths<Variables extends Record<string, string | undefined>>(
  variables: Variables,
  folder = '.',
): Variables {
  const changed = [...paths, ...pathsOrWords].flatMap((name) => {
    const value = variables[name]?.trim();
    const isPath = value && !value.includes('://') && (value.includes('/') || paths.includes(name));
    return isPath ? [[name, absolute(value, folder)]] : [];
  });
  return { ...variables, ...Object.fromEntries(changed) };
}

/** A path with `~/` resolved against the home folder, and a relative one against `folder`. */
export function absolute(path: string, folder: string): string {
  return /^~(\/|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(folder, path);
}

/** The folders that a settings file names, relative to it. */
export function absoluteFolders(file: { path: string } | undefined, named: readonly string[] = []): string[] {
  return named.map((folder) => absolute(folder, dirname(file?.path ?? '.')));
}

type Environment = Record<string, string | undefined>;

/** Where Longhaul keeps all of its data. */
export function dataFolder(environment: Environment): string {
  return withAbsolutePaths(environment).LONGHAUL_HOME?.trim() || join(homedir(), '.longhaul');
}

/** The `.env` file of the data folder. Never the current folder's, which may be a project where agents write. */
export function envFilePath(environment: Environment): string {
  return join(dataFolder(environment), '.env');
}

/**
 * The variables of `.env`, with relative paths resolved against its folder; none where the file does not exist.
 * @throws {ConfigurationError} if it cannot be read.
 */
export function readEnvFile(environment: Environment): Environment {
  const path = envFilePath(environment);
  if (!existsSync(path)) return {};
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigurationError(
      `Could not read ${path}: ${(cause as Error).message}. Change its permissions, or remove it.`,
      { cause },
    );
  }
  return withAbsolutePaths(parseEnv(text), dirname(path));
}

/** The environment, with relative paths resolved against the folder, plus those variables of `.env` that it does not set. */
export function withEnvFile(environment: Environment, folder?: string): Environment {
  const own = withAbsolutePaths(environment, folder);
  const { LONGHAUL_HOME: _, ...variables } = readEnvFile(own);
  const missing = Object.entries(variables).filter(([name, value]) => value !== '' && !environment[name]);
  return { ...own, ...Object.fromEntries(missing) };
}

/** The settings without the undefined ones. */
export function definedOnly<Value>(settings: { [key: string]: Value | undefined }): { [key: string]: Value } {
  const set = Object.entries(settings).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return Object.fromEntries(set);
}

/** An object with this setting, or an empty one if it is absent. */
export function present<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}
