import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../domain/configuration-error.ts';
import { describeIssues } from '../domain/describe-issue.ts';
import { configSchema } from './config-schema.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import type { ConfigFile } from './define-config.ts';
import { loadPrograms } from './load-programs.ts';
import { readMcpFile } from './settings/mcp-servers.ts';

/** Loads the settings on demand: `longhaul.config.ts` is a program, which commands that do not need it should not run. */
export type ReadSettings = () => Promise<Configuration>;

/** Loads what a config file imports as `longhaul/models`; the caller gives it, since `config/` knows no other folder. */
export type LoadModels = () => Promise<object>;

export const configFileNames = ['ts', 'mts', 'js', 'mjs', 'json'].map((ending) => `longhaul.config.${ending}`);

/**
 * Finds the config file: the named one, else the one in the data folder; undefined if there is none. Never the current folder's, which may belong to
 * a project: agents write there, and nothing an agent writes may run on the host.
 * @throws {ConfigurationError} if the named file does not exist, or the data folder has more than one.
 */
export function findConfigFile({ home, named }: { home: string; named?: string | undefined }): string | undefined {
  if (named !== undefined) {
    if (existsSync(named)) return named;
    throw new ConfigurationError(`Expected the settings file that LONGHAUL_CONFIG names at ${named}, found none.`);
  }
  const found = configFileNames.map((name) => join(home, name)).filter((path) => existsSync(path));
  if (found.length < 2) return found[0];
  throw new ConfigurationError(`Expected one settings file in ${home}, found ${found.length}: ${found.join(', ')}.`);
}

/**
 * Executes a config file, TypeScript included, and validates its default export. `longhaul/config` and `longhaul/models` resolve to this program's
 * own modules wherever the file lies, so that errors of its providers are recognized here.
 * @throws {ConfigurationError} naming the file, each invalid setting, what was expected and what came.
 */
export async function loadConfigFile(path: string, loadModels: LoadModels): Promise<ConfigFile> {
  const modules = { 'longhaul/config': await import('./define-config.ts'), 'longhaul/models': await loadModels() };
  const [given] = await loadPrograms([path], modules, (message, cause) => new ConfigurationError(message, { cause }));
  if (given === undefined) {
    throw new ConfigurationError(
      `Expected ${path} to export its settings by default: export default defineConfig({ ... }).`,
    );
  }
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return { path, config: parsed.data };
  throw new ConfigurationError(`${path} has invalid settings.\n${describeIssues(parsed.error, given)}`);
}

/**
 * Reads the configuration from the environment and, if there is one, the config file.
 * @throws {ConfigurationError}
 */
export async function loadConfiguration(
  environment: Record<string, string | undefined>,
  loadModels: LoadModels,
): Promise<Configuration> {
  const { home, configFile: named } = readConfiguration(environment);
  const path = findConfigFile({ home, named });
  const file = path === undefined ? undefined : await loadConfigFile(path, loadModels);
  const configuration = readConfiguration(environment, file);
  return { ...configuration, mcpServers: { ...readMcpFile(home, environment), ...configuration.mcpServers } };
}
